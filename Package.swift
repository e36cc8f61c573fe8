// swift-tools-version: 6.2
import Glibc
import PackageDescription

/// A trait for what only programs and engines need. On where this package itself is built.
let programs = "Programs"

/// Whether this package lies among another's checkouts, or the build began in another's folder.
var isDependency: Bool {
  func canonical(_ path: String) -> String? { realpath(path, nil).map { String(cString: $0) } }
  guard let here = canonical(Context.packageDirectory), !here.contains("/checkouts/") else {
    return true
  }
  guard var folder = Context.environment["PWD"].flatMap(canonical) else { return false }
  while folder != here, let slash = folder.lastIndex(of: "/") {
    if access(folder + "/Package.swift", R_OK) == 0 { return true }
    folder = String(folder[..<slash])
  }
  return false
}

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
]

/// Where `authcore sdk install` builds the libraries: the `authcored` that they are for.
let sdkCore = Context.environment["AUTHCORE_SDK"]

/// Behind a trait, since it brings swift-crypto. This package itself does without.
let cryptoKit = sdkCore == nil && !isDependency ? [] : ["CryptoKit"]

/// Modules with Apple's names. Those of `authcore sdk install` show their public face alone, and none
/// of the modules behind it, which brings warnings.
let facing =
  sdkCore == nil
  ? settings
  : settings + [.treatAllWarnings(as: .warning), .unsafeFlags(["-enable-library-evolution"])]

/// Image processing is unusably slow without the optimizer, in debug builds too.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// What `--version` names (scripts/build-commit), and which core the libraries start.
let commit = (Context.environment["AUTHCORE_COMMIT"] ?? "").filter {
  $0.isHexDigit || "-changed".contains($0)
}
let identity: [CSetting] = [
  .define("AUTHCORE_COMMIT", to: "\"\(commit)\""),
  .define("AUTHCORE_CORE_PROGRAM", to: "\"\(sdkCore ?? "")\""),
]

/// To find a function at its first call leaves vector registers, with secrets, on the stack.
let boundWhenLoaded: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

/// A library exports what a script of scripts/exports names, and nothing else.
func exporting(_ script: String) -> [LinkerSetting] {
  let path = "\(Context.packageDirectory)/scripts/exports/\(script)"
  return boundWhenLoaded + [.unsafeFlags(["-Xlinker", "--version-script=\(path)"])]
}

typealias Dependencies = [Target.Dependency]

/// A module by its folder in Sources, the last part of which is its name.
func module(
  _ folder: String, _ needs: Dependencies..., exclude: [String] = [],
  settings: [SwiftSetting] = settings, linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: folder.split(separator: "/").last.map(String.init) ?? folder,
    dependencies: needs.flatMap(\.self), path: "Sources/\(folder)", exclude: exclude,
    swiftSettings: settings, linkerSettings: linkerSettings)
}

func program(
  _ name: String, _ folder: String, _ needs: Dependencies..., settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(
    name: name, dependencies: needs.flatMap(\.self), path: folder, swiftSettings: settings)
}

/// What a host loads. Linking renames its entry point, of which a test program holds several.
func plugged(
  _ name: String, in folder: String, as kind: String, _ needs: Dependencies...,
  settings: [SwiftSetting] = settings
) -> Target {
  let entry = ["-Xlinker", "--defsym=ac_\(kind)_entry=\(name)_entry"]
  return .target(
    name: name, dependencies: ["AuthcoreABI"] + needs.flatMap(\.self), path: folder,
    swiftSettings: settings, linkerSettings: boundWhenLoaded + [.unsafeFlags(entry)])
}

func engine(_ name: String, _ needs: Dependencies) -> Target {
  plugged("\(name)Engine", in: "Plugins/\(name)", as: "engine", ["EngineKit", "Protocol"], needs)
}

func driver(_ name: String, _ needs: Dependencies = []) -> Target {
  plugged(
    "\(name)Driver", in: "Drivers/\(name)", as: "sensor", ["FrameAssembly", "SensorKit"], needs,
    settings: optimized)
}

func transport(_ name: String, _ needs: Dependencies) -> Target {
  plugged("\(name)Transport", in: "Drivers/\(name)Transport", as: "transport", needs)
}

func model(_ name: String) -> Target {
  plugged(
    "\(name)Model", in: "Tests/DeviceModels/\(name)Model", as: "device_model",
    ["GrayImage", "SensorKit", "SyntheticPrints"], settings: optimized)
}

/// A file of the driver to copy, in C.
func template(_ name: String, _ source: String) -> Target {
  .target(
    name: name, path: "Drivers/Template", sources: [source], publicHeadersPath: ".",
    cSettings: [.headerSearchPath("../../include")], linkerSettings: [.linkedLibrary("m")])
}

func tests(_ wing: String, _ needs: Dependencies..., fixtures: [String] = []) -> Target {
  .testTarget(
    name: "\(wing)Tests", dependencies: needs.flatMap(\.self), path: "Tests/\(wing)Tests",
    exclude: fixtures, swiftSettings: settings)
}

/// The idioms of code for Apple's systems, as a client compiles them: without our settings.
func idioms(_ folder: String, _ mode: SwiftLanguageMode) -> Target {
  .testTarget(
    name: "AppleIdioms\(folder)Tests", dependencies: harness + apple,
    path: "Tests/AppleIdioms/\(folder)", swiftSettings: [.swiftLanguageMode(mode)])
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: [programs]))
let crypto: Target.Dependency = .product(
  name: "Crypto", package: "swift-crypto", condition: .when(traits: ["CryptoKit"]))
let database: Target.Dependency = .product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: [programs]))

let base: Dependencies = ["CSystemCalls", "LinuxSystem", "Protocol"]
let hosting: Dependencies = ["AuthcoreABI", "PluginHosting", "Sandbox"]
let client: Dependencies = base + ["CLibraries", "CoreClient"]
let libraries = ["AuthCoreClient", "CoreFoundation", "LocalAuthentication", "Security"]
let apple: Dependencies = ["CoreFoundationTypes"] + libraries.map { .byName(name: $0) }
let identified: Dependencies = ["BuildIdentity", "CWipingAllocator"]
let door: Dependencies = base + identified + ["CoreClient"]
let doors: Dependencies = ["SSHAgent", "age-plugin-authcore", "docker-credential-authcore"]
let engines: Dependencies = ["EnclaveEngine", "KeychainEngine", "PolicyEngine"]
let pictures: Dependencies = ["FingerprintMatching", "GrayImage"]
let prints: Dependencies = pictures + ["SyntheticPrints"]
let harness: Dependencies = base + ["CoreClient", "SyntheticPrints", "TestSupport"]

/// The drivers for real readers, by their folders in Drivers. The product's name has small letters.
let readers = ["AuthenTec", "Elan", "ElanChip", "NB1010", "Synaptics", "UPEK", "URU4000"]

let targetsInC: [Target] = [
  .systemLibrary(name: "AuthcoreABI", path: "include"),
  .systemLibrary(name: "CLibraries", path: "Sources/C/CLibraries"),
  .systemLibrary(name: "CGTK", path: "Sources/C/CGTK", pkgConfig: "libadwaita-1"),
  .systemLibrary(name: "CLibfprint", path: "Sources/C/CLibfprint", pkgConfig: "gobject-2.0"),
  .target(
    name: "CSystemCalls", path: "Sources/C/CSystemCalls", cSettings: identity,
    linkerSettings: boundWhenLoaded),
  // libsystemd is loaded where it is used: see the header.
  .target(name: "CSystemd", path: "Sources/C/CSystemd"),
  .target(name: "CWipingAllocator", path: "Sources/C/CWipingAllocator"),
  .target(
    name: "CEmbeddedFiles", path: "Sources/C/CEmbeddedFiles",
    cSettings: [.unsafeFlags(["-Wno-c23-extensions"])]),
  .target(
    name: "CPluginExports", path: "Sources/C/CPluginExports",
    linkerSettings: exporting("plugin.map")),
]

let core: [Target] = [
  module("System/BuildIdentity", ["CSystemCalls"]),
  module("Protocol", ["BuildIdentity", "CSystemCalls"], exclude: ["Schema"]),
  module("System/LinuxSystem", ["CSystemCalls", "Protocol"]),
  module("System/Sandbox", base),
  module("System/DBus", ["CSystemd", "LinuxSystem"]),
  module("Crypto/Cryptography", ["CLibraries", "Protocol"]),
  module("Crypto/BackupFormat", ["Cryptography", "Protocol"]),
  module("Crypto/TrustedPlatform", ["CLibraries", "Cryptography", "Protocol"]),
  module("Matching/GrayImage"),
  module("Matching/FingerprintMatching", settings: optimized),
  module("Matching/FrameAssembly", settings: optimized),
  module("Matching/SyntheticPrints", ["GrayImage"], settings: optimized),
  module("Kits/EngineKit", ["AuthcoreABI", "Protocol"]),
  module("Kits/SensorKit", ["AuthcoreABI", "FrameAssembly"]),
  module("Kits/USBCapture", ["SensorKit"]),
  module("Kits/DriverKit", base, ["CEmbeddedFiles", "PluginHosting"]),
  program(
    "authcore-check-driver", "Sources/Kits/DriverCheck", base, hosting,
    ["DriverKit", "FrameAssembly"]),
  module("Hosting/PluginHosting", base, ["AuthcoreABI", "FrameAssembly", "Sandbox"]),
  program("authcore-host", "Sources/Hosting/Host", base, hosting, identified),
  module("Core/AuthCore", base, hosting, ["Cryptography", "DBus", "EngineKit"]),
  program("authcored", "Sources/Core/Daemon", identified, ["AuthCore", "Protocol"]),
]

let pluggable: [Target] =
  [
    engine("Enclave", ["BackupFormat", "Cryptography", "FingerprintMatching", "TrustedPlatform"]),
    engine("Keychain", ["Cryptography", database]),
    engine("Policy", []),
    driver("Replay", ["GrayImage", "SyntheticPrints"]),
    driver("LibfprintBridge", ["CLibfprint"]),
    transport("USB", ["CLibraries", "SensorKit", "USBCapture"]),
    transport("Recording", ["SensorKit", "USBCapture"]),
    transport("Simulated", ["SensorKit"]),
    template("TemplateDriver", "template.c"),
    template("TemplateModel", "template-model.c"),
    model("Press"),
  ] + readers.map { driver($0) } + readers.map(model)

let clients: [Target] = [
  module("Client/CoreClient", base, ["BuildIdentity", "CLibraries"]),
  module("Client/AuthCoreClient", client),
  module(
    "Client/ClientLibrary", client, ["AuthcoreABI"], linkerSettings: exporting("client.map")),
  module("Apple/CoreFoundationTypes", settings: facing),
  module("Apple/CoreFoundation", ["CoreFoundationTypes"], settings: facing),
  module(
    "Apple/Security", client, ["CoreFoundationTypes", "Cryptography"],
    exclude: ["Status/statuses.txt"], settings: facing),
  module(
    "Apple/LocalAuthentication", client, ["CoreFoundationTypes", "Security"], settings: facing),
  .plugin(
    name: "ImportSecurity", capability: .buildTool(),
    path: "Sources/Apple/BuildPlugins/ImportSecurity"),
  .plugin(
    name: "StripObjC", capability: .buildTool(), dependencies: ["strip-objc"],
    path: "Sources/Apple/BuildPlugins/StripObjC"),
  program("strip-objc", "Sources/Apple/StripObjCTool"),
  module("Desktop/WindowContents", ["CSystemCalls", "CoreClient"]),
  module("Desktop/Windows", base, ["CGTK", "CoreClient", "WindowContents"]),
  program("authcore-agent", "Sources/Desktop/Agent", client, identified, ["Sandbox", "Windows"]),
  program(
    "authcore-settings", "Sources/Desktop/Settings", client, identified,
    ["Cryptography", "Windows"]),
  program("age-plugin-authcore", "Sources/Doors/AgePlugin", door, ["Cryptography"]),
  program("docker-credential-authcore", "Sources/Doors/DockerCredential", door),
  module("Doors/SSHAgent", base, ["CoreClient", "Cryptography"]),
  program("authcore-ssh-agent", "Sources/Doors/SSHAgentProgram", door, ["SSHAgent"]),
  module("Command/ItemTransfer", base, ["CLibraries", "CoreClient", "Cryptography", "DBus"]),
  program(
    "authcore", "Sources/Command/Program", client, identified,
    [
      argumentParser, "BackupFormat", "Cryptography", "DriverKit", "FingerprintMatching",
      "GrayImage", "ItemTransfer", "PluginHosting", "Sandbox",
    ]),
  program(
    "authcore-bench", "Sources/Lab", client, hosting, prints, apple,
    [argumentParser, database, "BuildIdentity", "Cryptography", "EngineKit", "FrameAssembly"],
    settings: optimized),
]

let tested: [Target] = [
  // What tests share: devices, buses, documents, and programs that are run.
  .target(
    name: "TestSupport",
    dependencies: client + hosting + [
      "DBus", "EngineKit", "GrayImage", "SyntheticPrints", "TrustedPlatform",
    ], path: "Tests/TestSupport", swiftSettings: settings),
  .target(name: "CTestSupport", path: "Tests/CTestSupport"),
  program(
    "exercise", "Tests/Exercises", client, apple,
    ["AuthcoreABI", "RecordingTransport", "SensorKit", "Windows"]),
  tests("Protocol", harness, ["EngineKit"], fixtures: ["GoldenBytes/Fixtures"]),
  tests("System", harness, ["DBus", "Sandbox"]),
  tests(
    "Crypto", harness, ["BackupFormat", "Cryptography", "TrustedPlatform"],
    fixtures: ["Cryptography/Fixtures"]),
  tests("Matching", prints, ["CTestSupport", "Cryptography", "FrameAssembly", "PluginHosting"]),
  tests(
    "Hosting", harness, hosting, ["DriverKit", "authcore-check-driver", "authcore-host"],
    fixtures: ["DriverKit/Fixtures", "PluginHosting/Fixtures"]),
  tests(
    "Driver", harness, hosting, pictures, engines, ["CTestSupport", "EngineKit"],
    ["Cryptography", "LibfprintBridgeDriver", "ReplayDriver", "USBTransport", "exercise"],
    readers.map { .byName(name: "\($0)Driver") }, readers.map { .byName(name: "\($0)Model") }),
  tests(
    "Enclave", harness, pictures, ["BackupFormat", "EnclaveEngine", "TrustedPlatform"],
    fixtures: ["Fixtures"]),
  tests("Keychain", harness, [database, "CTestSupport", "Cryptography", "KeychainEngine"]),
  tests("Policy", ["EngineKit", "PolicyEngine", "Protocol", "SyntheticPrints"]),
  tests("Core", harness, hosting, pictures, engines, ["AuthCore", "DBus", "EngineKit", database]),
  tests("Client", harness, ["AuthCoreClient"]),
  tests(
    "Apple", harness, apple, ["Cryptography", "exercise", "strip-objc"],
    fixtures: ["SoftwareKeys/Fixtures"]),
  idioms("Mode4", .v4),
  idioms("Mode5", .v5),
  idioms("Mode6", .v6),
  tests("Command", harness, ["Cryptography", "ItemTransfer", "authcore"]),
  tests("Door", harness, doors, ["Cryptography"], fixtures: ["SSHAgent/Fixtures"]),
  tests("Lab", prints, ["authcore-bench"]),
  tests(
    "EndToEnd", harness, pictures, ["CLibraries", "Cryptography", "WindowContents"],
    fixtures: ["Fixtures"]),
]

/// By what follows `authcore-` in their names. They show their entry and nothing else.
let plugins: [(String, String)] =
  [
    ("enclave", "EnclaveEngine"), ("keychain", "KeychainEngine"), ("policy", "PolicyEngine"),
    ("transport-recording", "RecordingTransport"), ("transport-simulated", "SimulatedTransport"),
    ("transport-usb", "USBTransport"), ("driver-libfprint", "LibfprintBridgeDriver"),
    ("driver-replay", "ReplayDriver"), ("driver-template", "TemplateDriver"),
    ("driver-template-model", "TemplateModel"), ("driver-press-model", "PressModel"),
  ] + readers.map { ("driver-\($0.lowercased())", "\($0)Driver") }
  + readers.map { ("driver-\($0.lowercased())-model", "\($0)Model") }

let package = Package(
  name: "authcore",
  products: [
    .library(name: "authcore-sdk", type: .dynamic, targets: libraries),
    .library(name: "authcore-client", type: .dynamic, targets: ["ClientLibrary"]),
    .plugin(name: "ImportSecurity", targets: ["ImportSecurity"]),
    .plugin(name: "StripObjC", targets: ["StripObjC"]),
  ],
  traits: [
    .default(enabledTraits: isDependency ? [] : [programs]),
    .trait(name: programs, description: "The programs and engines, not only the libraries."),
    .trait(name: "CryptoKit", description: "The module CryptoKit. Fetches swift-crypto."),
  ],
  dependencies: cryptoKit.isEmpty
    ? [
      .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
      .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ] : [.package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0")],
  targets: targetsInC + core + pluggable + clients + tested
)

package.targets += cryptoKit.map {
  module("Apple/\($0)", ["LocalAuthentication", crypto], settings: facing)
}
package.products += (libraries + cryptoKit).map { .library(name: $0, targets: [$0]) }
package.products += plugins.map { name, target in
  .library(name: "authcore-\(name)", type: .dynamic, targets: [target, "CPluginExports"])
}

/// Leaves out what these targets do not need, and other products.
@MainActor func keepOnly(_ targets: [String], products: [String]) {
  var kept: Set<String> = []
  var waiting = targets
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { waiting.append(name) }
    }
  }
  if cryptoKit.isEmpty { package.dependencies = [] }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { !products.contains($0.name) }
}

if sdkCore != nil {
  keepOnly(libraries + cryptoKit, products: ["authcore-sdk"])
} else if isDependency {
  let given = libraries + cryptoKit + ["ImportSecurity", "StripObjC"]
  keepOnly(given + ["strip-objc"], products: given)
} else if Context.environment["AUTHCORE_FUZZ"] != nil {
  // What reads bytes from elsewhere (scripts/fuzz).
  let fuzzers: [String: Dependencies] = [
    "Age": ["AgeMachines", "Cryptography"], "Assembly": ["FrameAssembly"],
    "AuthenTec": ["AuthenTecDriver"], "Backup": ["BackupFormat"],
    "CSV": ["ItemTransfer"], "Certificate": ["Cryptography"], "Elan": ["ElanDriver"],
    "Enclave": ["EnclaveSimulation", "GoldenSamples"], "Host": ["TestSupport"],
    "Message": ["TestSupport"], "NB1010": ["NB1010Driver"], "Picture": ["GrayImage"],
    "Print": ["FingerprintMatching"], "Recording": ["RecordingTransport"], "SSHAgent": ["SSHAgent"],
    "Tape": ["ReplayDriver"], "Template": ["FingerprintMatching"], "UPEK": ["UPEKDriver"],
    "URU4000": ["URU4000Driver"], "Wire": [],
  ]
  package.targets += fuzzers.map { name, needs in
    .target(name: "\(name)Fuzzer", dependencies: base + needs, path: "Tests/Fuzz/\(name)Fuzzer")
  }
  package.targets += [
    .target(
      name: "AgeMachines", dependencies: base + ["Cryptography"], path: "Sources/Doors/AgePlugin",
      sources: ["PluginMachine.swift", "Stanza.swift"]),
    .target(
      name: "EnclaveSimulation",
      dependencies: harness + pictures + ["BackupFormat", "EnclaveEngine", "TrustedPlatform"],
      path: "Tests/EnclaveTests/Simulation"),
    .target(
      name: "GoldenSamples", dependencies: ["EngineKit", "Protocol"],
      path: "Tests/ProtocolTests/GoldenBytes", exclude: ["Fixtures", "GoldenBytesTests.swift"]),
  ]
  let names = fuzzers.keys.map { "\($0)Fuzzer" }
  package.products = names.map { .library(name: $0, type: .static, targets: [$0]) }
  keepOnly(names, products: names)
} else if Context.environment["AUTHCORE_SANITIZE"] != nil {
  keepOnly(["CryptoTests", "MatchingTests", "PolicyTests", "ProtocolTests"], products: [])
}
