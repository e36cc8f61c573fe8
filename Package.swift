// swift-tools-version: 6.2
import Glibc
import PackageDescription

/// What the programs and engines need and the libraries for applications do not: as a trait, so that
/// SwiftPM fetches none of it for an application. On where this package itself is built.
let programs = "Programs"

/// Whether an application's package has SwiftPM look at this one: it lies among what was checked
/// out for another one, or the build was started in a folder of another one's.
var isDependency: Bool {
  func canonical(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
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

/// Where the libraries are built for `authcore sdk install`: the path of the `authcored` that they
/// are for.
let sdkCore = Context.environment["AUTHCORE_SDK"]

/// Modules with Apple's names. In the build of `authcore sdk install` an application that is compiled
/// against one sees its public face alone, and none of the modules behind it; that brings warnings
/// about modules that are built together with it.
let facing =
  sdkCore == nil
  ? settings
  : settings + [.treatAllWarnings(as: .warning), .unsafeFlags(["-enable-library-evolution"])]

/// Image processing is unusably slow without the optimizer, so these modules have it in debug
/// builds too.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The commit that `--version` names, where the build is told it: see scripts/build-commit.
let buildCommit: [CSetting] =
  (Context.environment["AUTHCORE_COMMIT"]).map { commit in
    let name = commit.filter { $0.isHexDigit || "-changed".contains($0) }
    return [.define("AUTHCORE_COMMIT", to: "\"\(name)\"")]
  } ?? []

let builtFor: [CSetting] =
  sdkCore.map { [.define("AUTHCORE_CORE_PROGRAM", to: "\"\($0)\"")] } ?? []

/// Functions of libraries are found when a program or a plugin is loaded. To find one at its first
/// call leaves the vector registers on the stack, and with them parts of secrets that were copied.
let boundWhenLoaded: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

/// A plugin exports its one entry symbol and nothing else.
func exporting(_ script: String) -> [LinkerSetting] {
  boundWhenLoaded + [
    .unsafeFlags([
      "-Xlinker", "--version-script=\(Context.packageDirectory)/scripts/exports/\(script)",
    ])
  ]
}

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(name)", swiftSettings: settings)
}

func program(
  _ name: String, _ folder: String, _ dependencies: [Target.Dependency],
  settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/\(folder)", swiftSettings: settings)
}

func engine(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: "\(name)Engine", dependencies: ["AuthcoreABI", "EngineKit", "Protocol"] + dependencies,
    path: "Plugins/\(name)", exclude: ["Plugin"], swiftSettings: settings)
}

/// The entry point of an engine, apart from it: a test program holds all engines and could not hold
/// several entry points.
func entry(_ name: String) -> Target {
  .target(
    name: "\(name)Plugin",
    dependencies: ["AuthcoreABI", "EngineKit", .target(name: "\(name)Engine")],
    path: "Plugins/\(name)/Plugin", swiftSettings: settings,
    linkerSettings: exporting("engine.map"))
}

func driver(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: "\(name)Driver", dependencies: ["FrameAssembly", "SensorKit"] + dependencies,
    path: "Drivers/\(name)", exclude: ["Plugin"], swiftSettings: optimized)
}

func transport(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: "\(name)Transport", dependencies: ["SensorKit"] + dependencies,
    path: "Drivers/\(name)Transport", exclude: ["Plugin"], swiftSettings: settings)
}

/// A file of the driver to copy, in C.
func template(_ name: String, _ source: String, exporting script: String) -> Target {
  .target(
    name: name, path: "Drivers/Template", sources: [source], publicHeadersPath: ".",
    cSettings: [.headerSearchPath("../../include")],
    linkerSettings: exporting(script) + [.linkedLibrary("m")])
}

/// The entry point of a driver or a transport, apart from it for the same reason.
func entry(of module: String, in folder: String, exporting script: String) -> Target {
  .target(
    name: "\(module)Plugin", dependencies: ["AuthcoreABI", "SensorKit", .target(name: module)],
    path: "Drivers/\(folder)/Plugin", swiftSettings: settings, linkerSettings: exporting(script))
}

/// The model of a driver's device, and its entry point.
func deviceModel(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
  let folder = "Tests/DeviceModels/\(name)Model"
  return [
    .target(
      name: "\(name)Model", dependencies: ["SensorKit"] + dependencies, path: folder,
      exclude: ["Plugin"], swiftSettings: optimized),
    .target(
      name: "\(name)ModelPlugin",
      dependencies: ["AuthcoreABI", "SensorKit", .target(name: "\(name)Model")],
      path: "\(folder)/Plugin", swiftSettings: settings, linkerSettings: exporting("model.map")),
  ]
}

/// The drivers for real readers: the folder in Drivers, what `--driver` takes, and what the driver
/// needs.
let readers: [(folder: String, name: String, dependencies: [Target.Dependency])] = [
  ("AuthenTec", "authentec", []),
  ("Elan", "elan", []),
  ("NB1010", "nb1010", []),
  ("UPEK", "upek", []),
  ("URU4000", "uru4000", []),
]

/// What their tests use: the drivers and the models of their devices.
let readerModules: [Target.Dependency] = readers.flatMap { reader in
  [.target(name: "\(reader.folder)Driver"), .target(name: "\(reader.folder)Model")]
}

/// What a device's model needs beyond SensorKit.
let modelDependencies: [String: [Target.Dependency]] = [
  "URU4000": ["GrayImage", "SyntheticPrints"]
]

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
    exclude: exclude, swiftSettings: settings)
}

/// The idioms of code for Apple's systems, as a client would compile them: in a language mode, and
/// without the settings of this package.
func idioms(_ folder: String, _ mode: SwiftLanguageMode) -> Target {
  .testTarget(
    name: "AppleIdioms\(folder)Tests",
    dependencies: [
      "AuthCoreClient", "CoreConnections", "CoreFoundation", "EndToEndHarness",
      "LocalAuthentication", "Security",
    ],
    path: "Tests/AppleIdioms/\(folder)", swiftSettings: [.swiftLanguageMode(mode)])
}

func plugin(_ name: String, _ target: String) -> Product {
  .library(name: name, type: .dynamic, targets: [target])
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: [programs]))
let database: Target.Dependency = .product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: [programs]))

let package = Package(
  name: "authcore",
  products: [
    .executable(name: "authcore", targets: ["authcore"]),
    .executable(name: "authcored", targets: ["authcored"]),
    .executable(name: "authcore-host", targets: ["authcore-host"]),
    .executable(name: "authcore-agent", targets: ["authcore-agent"]),
    .executable(name: "authcore-settings", targets: ["authcore-settings"]),
    .executable(name: "authcore-check-driver", targets: ["authcore-check-driver"]),
    .executable(name: "authcore-bench", targets: ["authcore-bench"]),
    .library(name: "AuthCoreClient", targets: ["AuthCoreClient"]),
    .library(name: "Security", targets: ["Security"]),
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "CoreFoundation", targets: ["CoreFoundation"]),
    .library(
      name: "authcore-sdk", type: .dynamic,
      targets: ["CoreFoundation", "LocalAuthentication", "Security"]),
    .library(name: "authcore-client", type: .dynamic, targets: ["ClientLibrary"]),
    .plugin(name: "ImportSecurity", targets: ["ImportSecurity"]),
    .plugin(name: "StripObjC", targets: ["StripObjC"]),
    plugin("authcore-enclave", "EnclavePlugin"),
    plugin("authcore-keychain", "KeychainPlugin"),
    plugin("authcore-policy", "PolicyPlugin"),
    plugin("authcore-driver-libfprint", "LibfprintBridgeDriverPlugin"),
    plugin("authcore-driver-replay", "ReplayDriverPlugin"),
    plugin("authcore-driver-template", "TemplateDriver"),
    plugin("authcore-driver-template-model", "TemplateModel"),
    plugin("authcore-driver-press-model", "PressModelPlugin"),
    plugin("authcore-transport-recording", "RecordingTransportPlugin"),
    plugin("authcore-transport-simulated", "SimulatedTransportPlugin"),
    plugin("authcore-transport-usb", "USBTransportPlugin"),
  ],
  traits: [
    .default(enabledTraits: isDependency ? [] : [programs]),
    .trait(name: programs, description: "The programs and engines, not only the libraries."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "AuthcoreABI", path: "include"),
    .systemLibrary(name: "CLibcrypto", path: "Sources/CLibcrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CCairo", path: "Sources/CCairo", pkgConfig: "cairo"),
    .systemLibrary(name: "CGettext", path: "Sources/CGettext"),
    .systemLibrary(name: "CGTK", path: "Sources/CGTK", pkgConfig: "libadwaita-1"),
    .systemLibrary(name: "CLibpng", path: "Sources/CLibpng", pkgConfig: "libpng"),
    .systemLibrary(name: "CUtf8proc", path: "Sources/CUtf8proc"),
    .systemLibrary(name: "CLibfprint", path: "Sources/CLibfprint", pkgConfig: "gobject-2.0"),
    .systemLibrary(name: "CTSS", path: "Sources/CTSS", pkgConfig: "tss2-esys"),
    .systemLibrary(name: "CLibusb", path: "Sources/CLibusb", pkgConfig: "libusb-1.0"),
    .systemLibrary(name: "CClientLibrary", path: "Sources/CClientLibrary"),
    // In every program.
    .target(name: "CSystemCalls", path: "Sources/CSystemCalls", linkerSettings: boundWhenLoaded),
    .target(
      name: "CBuildIdentity", path: "Sources/CBuildIdentity", cSettings: buildCommit + builtFor),
    // libsystemd is loaded where it is used: see the header.
    .target(name: "CSystemd", path: "Sources/CSystemd"),
    // In the programs that hold secrets, prints or frames, and in no library.
    .target(name: "CWipingAllocator", path: "Sources/CWipingAllocator"),
    // #embed is of C23; clang has it in every mode.
    .target(
      name: "CEmbeddedFiles", path: "Sources/CEmbeddedFiles",
      cSettings: [.unsafeFlags(["-Wno-c23-extensions"])]),

    module("BuildIdentity", ["CBuildIdentity"]),
    module("Protocol", ["BuildIdentity", "CSystemCalls"]),
    module("LinuxSystem", ["CSystemCalls", "Protocol"]),
    module("FileTrust", ["CSystemCalls", "LinuxSystem", "Protocol"]),
    module("Sandbox", ["CSystemCalls", "LinuxSystem", "Protocol"]),
    module("Cryptography", ["CLibcrypto", "Protocol"]),
    module("BackupFormat", ["Cryptography", "Protocol"]),
    module("TrustedPlatform", ["CTSS", "Cryptography", "Protocol"]),
    module("EngineKit", ["AuthcoreABI", "Protocol"]),
    module("ItemTransfer", ["LinuxSystem", "Protocol"]),
    module("DBus", ["CSystemd", "LinuxSystem"]),
    module("SecretService", ["Cryptography", "DBus", "ItemTransfer", "Protocol"]),
    module("Sessions", ["DBus", "LinuxSystem"]),
    module("SensorKit", ["AuthcoreABI", "FrameAssembly"]),
    module("USBCapture", ["SensorKit"]),
    module("GrayImage"),
    module("FingerprintMatching", settings: optimized),
    module("FrameAssembly", settings: optimized),
    module("SyntheticPrints", ["GrayImage"], settings: optimized),
    module("MatchStatistics", settings: optimized),
    module("Drawing", ["CCairo"]),
    module("WindowContents", ["CGettext", "CoreConnections"]),
    module(
      "PromptWindows", ["Protocol", "CoreConnections", "WindowContents", "Windows"]),
    module("Windows", ["CGTK", "CoreConnections", "LinuxSystem", "WindowContents", "Protocol"]),
    module(
      "PluginHosting",
      [
        "AuthcoreABI", "CSystemCalls", "FileTrust", "FrameAssembly", "LinuxSystem", "Sandbox",
        "Protocol",
      ]),
    module(
      "DriverKit", ["CEmbeddedFiles", "FileTrust", "LinuxSystem", "PluginHosting", "Protocol"]),
    module(
      "AuthCore",
      [
        "AuthcoreABI", "Protocol", "Cryptography", "EngineKit", "FileTrust", "LinuxSystem",
        "PluginHosting", "Sandbox", "Sessions",
      ]),
    module(
      "CoreConnections",
      [
        "BuildIdentity", "Protocol", "CSystemCalls", "CUtf8proc", "FileTrust", "LinuxSystem",
      ]),

    module(
      "TerminalPrompts",
      ["Protocol", "CoreConnections", "CUtf8proc", "LinuxSystem"]),
    module(
      "AuthCoreClient",
      [
        "Protocol", "CoreConnections", "CSystemCalls", "LinuxSystem", "TerminalPrompts",
      ]),
    .target(
      name: "ClientLibrary",
      dependencies: [
        "AuthCoreClient", "CClientLibrary", "Protocol", "CoreConnections",
      ],
      path: "Sources/ClientLibrary", swiftSettings: settings,
      linkerSettings: exporting("client.map")),
    module("SoftwareKeys", ["CLibcrypto", "Cryptography", "Protocol"]),
    module("CoreFoundationTypes", settings: facing),
    module("CoreFoundation", ["CoreFoundationTypes"], settings: facing),
    module(
      "Security",
      [
        "AuthCoreClient", "Protocol", "CoreConnections", "CoreFoundationTypes",
        "Cryptography", "SoftwareKeys",
      ], settings: facing),
    module(
      "LocalAuthentication",
      [
        "AuthCoreClient", "Protocol", "CoreConnections", "CoreFoundationTypes", "Security",
      ], settings: facing),

    program(
      "authcore", "Command",
      [
        argumentParser, "CoreConnections", "BackupFormat", "BuildIdentity", "CLibpng",
        "CSystemCalls", "CUtf8proc", "CWipingAllocator", "Protocol", "Cryptography",
        "DriverKit", "FileTrust", "FingerprintMatching", "GrayImage",
        "ItemTransfer", "PluginHosting", "Sandbox", "SecretService", "LinuxSystem",
        "TerminalPrompts",
      ]),
    program(
      "authcore-check-driver", "DriverCheck",
      [
        "AuthcoreABI", "CSystemCalls", "DriverKit", "FileTrust", "FrameAssembly", "LinuxSystem",
        "PluginHosting", "Sandbox", "Protocol",
      ]),
    program(
      "authcore-agent", "Agent",
      [
        "BuildIdentity", "CSystemCalls", "CWipingAllocator", "Protocol", "CoreConnections",
        "LinuxSystem", "PromptWindows", "Sandbox", "WindowContents", "Windows",
      ]),
    program(
      "authcore-settings", "Settings",
      [
        "AuthCoreClient", "BuildIdentity", "CWipingAllocator", "Protocol", "CoreConnections",
        "LinuxSystem", "PromptWindows", "WindowContents", "Windows",
      ]),
    program("authcored", "Daemon", ["AuthCore", "BuildIdentity", "CWipingAllocator", "Protocol"]),
    program(
      "authcore-host", "Host",
      [
        "AuthcoreABI", "BuildIdentity", "CSystemCalls", "CWipingAllocator", "FileTrust",
        "LinuxSystem", "PluginHosting", "Sandbox", "Protocol",
      ]),
    program(
      "authcore-bench", "Benchmarks",
      [
        argumentParser, database, "AuthCoreClient", "BuildIdentity", "CLibcrypto",
        "CoreConnections", "CoreFoundationTypes", "Security", "Protocol", "Cryptography",
        "Drawing", "EngineKit",
        "FileTrust", "FingerprintMatching", "FrameAssembly", "GrayImage", "LinuxSystem",
        "MatchStatistics", "PluginHosting", "SyntheticPrints",
      ], settings: optimized),

    .plugin(
      name: "ImportSecurity", capability: .buildTool(),
      path: "Sources/BuildPlugins/ImportSecurity"),
    .plugin(
      name: "StripObjC", capability: .buildTool(), dependencies: ["strip-objc"],
      path: "Sources/BuildPlugins/StripObjC"),
    program("strip-objc", "StripObjCTool", ["ObjCStripping"]),
    module("ObjCStripping"),

    engine("Enclave", ["BackupFormat", "Cryptography", "FingerprintMatching", "TrustedPlatform"]),
    engine("Keychain", ["Cryptography", database]),
    engine("Policy", []),
    entry("Enclave"),
    entry("Keychain"),
    entry("Policy"),
    template("TemplateDriver", "template.c", exporting: "sensor.map"),
    template("TemplateModel", "template-model.c", exporting: "model.map"),
    driver("Replay", ["GrayImage", "SyntheticPrints"]),
    entry(of: "ReplayDriver", in: "Replay", exporting: "sensor.map"),
    driver("LibfprintBridge", ["CLibfprint"]),
    entry(of: "LibfprintBridgeDriver", in: "LibfprintBridge", exporting: "sensor.map"),
    transport("USB", ["CLibusb", "USBCapture"]),
    entry(of: "USBTransport", in: "USBTransport", exporting: "transport.map"),
    .executableTarget(
      name: "usb-exercise", dependencies: ["AuthcoreABI", "RecordingTransport", "SensorKit"],
      path: "Tests/USBExercise", swiftSettings: settings),
    .executableTarget(
      name: "memory-canaries", dependencies: ["FingerprintMatching", "GrayImage"],
      path: "Tests/Memory/Canaries", swiftSettings: settings),
    transport("Recording", ["USBCapture"]),
    entry(of: "RecordingTransport", in: "RecordingTransport", exporting: "transport.map"),
    transport("Simulated"),
    entry(of: "SimulatedTransport", in: "SimulatedTransport", exporting: "transport.map"),

    tests("Wire", ["LinuxSystem", "Protocol"]),
    tests("LinuxSystem", ["LinuxSystem", "Protocol"]),
    .target(
      name: "FilterInterpretation", dependencies: ["CSystemCalls", "Sandbox"],
      path: "Tests/FilterInterpretation", swiftSettings: settings),
    tests(
      "Sandbox", ["CSystemCalls", "FilterInterpretation", "Sandbox", "LinuxSystem", "Protocol"]),
    .target(
      name: "TestCertificates", path: "Tests/TestCertificates", swiftSettings: settings),
    tests(
      "Cryptography", ["Cryptography", "TestCertificates", "Protocol"], exclude: ["Fixtures"]),
    .target(
      name: "SoftwareTPM",
      dependencies: ["AuthcoreABI", "PluginHosting", "LinuxSystem", "TrustedPlatform"],
      path: "Tests/SoftwareTPM", swiftSettings: settings),
    tests("BackupFormat", ["BackupFormat", "Cryptography", "Protocol"]),
    tests("TrustedPlatform", ["SoftwareTPM", "TrustedPlatform", "Protocol"]),
    tests("EngineKit", ["EngineKit", "Protocol"]),
    tests("ClientProtocol", ["Protocol"]),
    .target(
      name: "MessageList", dependencies: ["Protocol", "EngineKit"],
      path: "Tests/MessageList", swiftSettings: settings),
    tests(
      "GoldenBytes", ["Protocol", "EngineKit", "MessageList"], exclude: ["Fixtures"]),
    tests("GrayImage", ["GrayImage"]),
    tests("ItemTransfer", ["ItemTransfer", "PrivateKeyring", "LinuxSystem", "Protocol"]),
    .target(
      name: "PrivateKeyring", dependencies: ["DBus"], path: "Tests/PrivateKeyring",
      swiftSettings: settings),
    tests("SecretService", ["ItemTransfer", "PrivateKeyring", "SecretService", "Protocol"]),
    .target(
      name: "PrivateLogind", dependencies: ["DBus"], path: "Tests/PrivateLogind",
      swiftSettings: settings),
    tests("Sessions", ["DBus", "LinuxSystem", "PrivateLogind", "Sessions"]),
    tests("FrameAssembly", ["AuthcoreABI", "Cryptography", "FrameAssembly", "PluginHosting"]),
    .target(name: "CountedAllocation", path: "Tests/CountedAllocation"),
    tests(
      "FingerprintMatching",
      ["CountedAllocation", "FingerprintMatching", "GrayImage", "SyntheticPrints"]),
    tests("SyntheticPrints", ["GrayImage", "SyntheticPrints"]),
    tests("MatchStatistics", ["MatchStatistics"]),
    tests("Drawing", ["Drawing"]),
    .executableTarget(
      name: "window-exercise",
      dependencies: ["PromptWindows", "WindowContents", "Windows", "Protocol"],
      path: "Tests/WindowExercise",
      swiftSettings: settings),
    tests(
      "Benchmarks",
      ["FingerprintMatching", "GrayImage", "MatchStatistics", "SyntheticPrints", "authcore-bench"]),
    .testTarget(
      name: "PluginHostingTests",
      dependencies: [
        "FileTrust", "FilterInterpretation", "LinuxSystem", "PluginHosting", "Sandbox", "Protocol",
        "authcore-host",
      ],
      path: "Tests/PluginHostingTests", exclude: ["Fixtures"], swiftSettings: settings),
    tests(
      "Drivers",
      [
        "AuthcoreABI", "Cryptography", "FingerprintMatching", "FrameAssembly", "GrayImage",
        "LibfprintBridgeDriver", "RecordingTransport", "ReplayDriver", "SensorKit", "USBCapture",
        "USBTransport", "usb-exercise",
      ] + readerModules),
    tests(
      "Enclave",
      [
        "AuthcoreABI", "BackupFormat", "Cryptography", "EnclaveEngine", "EngineKit",
        "FingerprintMatching",
        "GrayImage", "SoftwareTPM", "SyntheticPrints", "TrustedPlatform", "Protocol",
      ], exclude: ["Fixtures"]),
    .target(name: "CallTap", path: "Tests/CallTap"),
    tests(
      "Keychain",
      [
        "AuthcoreABI", "CallTap", "Cryptography", "EngineKit", "KeychainEngine",
        "TestCertificates", "Protocol",
        database,
      ]),
    tests("Policy", ["EngineKit", "PolicyEngine", "Protocol"]),
    tests(
      "AuthCore",
      [
        "AuthCore", "AuthcoreABI", "Protocol", "DBus", "EnclaveEngine", "EngineKit", "FileTrust",
        "GrayImage", "KeychainEngine", "LinuxSystem",
        "PluginHosting", "PolicyEngine", "PrivateLogind", "Sandbox", "Sessions", "SyntheticPrints",
        database,
      ]),
    tests("CoreConnections", ["AuthCoreClient", "Protocol", "LinuxSystem"]),
    .target(
      name: "TerminalScripts",
      dependencies: [
        "Protocol", "CoreConnections", "LinuxSystem", "TerminalPrompts",
      ],
      path: "Tests/TerminalScripts", swiftSettings: settings),
    .executableTarget(
      name: "prompting-program",
      dependencies: [
        "Protocol", "CoreConnections", "LinuxSystem", "TerminalPrompts",
      ],
      path: "Tests/PromptingProgram", swiftSettings: settings),
    tests(
      "TerminalPrompts",
      [
        "Protocol", "CoreConnections", "LinuxSystem", "TerminalPrompts", "TerminalScripts",
      ]),
    tests(
      "AuthCoreClient",
      [
        "AuthCoreClient", "Protocol", "CoreConnections", "EndToEndHarness", "LinuxSystem",
      ]),
    tests("ObjCStripping", ["ObjCStripping"]),
    tests("SoftwareKeys", ["Cryptography", "SoftwareKeys", "Protocol"], exclude: ["Fixtures"]),
    tests(
      "Security",
      [
        "AuthCoreClient", "CoreConnections", "CoreFoundationTypes", "EndToEndHarness",
        "LocalAuthentication", "Security", "TestCertificates", "Protocol",
      ]),
    .executableTarget(
      name: "authentication-exercise", dependencies: ["LocalAuthentication"],
      path: "Tests/AuthenticationExercise", swiftSettings: settings),
    tests(
      "LocalAuthentication",
      [
        "AuthCoreClient", "CoreConnections", "CoreFoundationTypes", "EndToEndHarness",
        "LocalAuthentication", "Security", "Protocol", "authentication-exercise",
      ]),
    idioms("Mode4", .v4),
    idioms("Mode5", .v5),
    idioms("Mode6", .v6),
    .testTarget(
      name: "StrictIdiomsTests", dependencies: ["LocalAuthentication", "Security"],
      path: "Tests/AppleIdioms/Strict",
      swiftSettings: [
        .swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error),
      ]),
    .testTarget(
      name: "DriverKitTests",
      dependencies: [
        "DriverKit", "PluginHosting", "Sandbox", "LinuxSystem", "Protocol", "authcore-check-driver",
      ],
      path: "Tests/DriverKitTests", exclude: ["Fixtures"], swiftSettings: settings),
    tests(
      "Command",
      [
        "CoreConnections", "BuildIdentity", "Protocol", "Cryptography", "LinuxSystem",
        "TerminalPrompts", "TerminalScripts", "authcore",
      ]),
    tests("Windows", ["EndToEndHarness", "WindowContents"]),
    .target(
      name: "EndToEndHarness", dependencies: ["GrayImage", "LinuxSystem", "SyntheticPrints"],
      path: "Tests/EndToEndHarness", swiftSettings: settings),
    tests(
      "EndToEnd",
      [
        "EndToEndHarness",
        "CoreConnections", "CLibpng", "Protocol", "Cryptography", "GrayImage",
        "LinuxSystem", "PrivateKeyring", "SyntheticPrints", "TestCertificates",
      ], exclude: ["Fixtures"]),
  ]
)

package.targets += deviceModel("Press", [])

for reader in readers {
  package.targets += [
    driver(reader.folder, reader.dependencies),
    entry(of: "\(reader.folder)Driver", in: reader.folder, exporting: "sensor.map"),
  ]
  package.targets += deviceModel(
    reader.folder, modelDependencies[reader.folder, default: []])
  package.products += [
    plugin("authcore-driver-\(reader.name)", "\(reader.folder)DriverPlugin"),
    plugin("authcore-driver-\(reader.name)-model", "\(reader.folder)ModelPlugin"),
  ]
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency], corpus: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Fuzz/\(name)", exclude: corpus)
}

/// Leaves out all other targets, and the products that have one of those.
@MainActor func keepOnly(_ names: Set<String>) {
  package.dependencies = []
  package.targets = package.targets.filter { names.contains($0.name) }
  keepWholeProducts()
}

/// Leaves out products of which a target was left out.
@MainActor func keepWholeProducts() {
  let names = Set(package.targets.map(\.name))
  package.products = package.products.filter { product in
    switch product {
    case let library as Product.Library: names.isSuperset(of: library.targets)
    case let program as Product.Executable: names.isSuperset(of: program.targets)
    case let plugin as Product.Plugin: names.isSuperset(of: plugin.targets)
    default: false
    }
  }
}

/// `make fuzz` and `make sanitize` build the light modules alone: what reads bytes from elsewhere,
/// and its tests.
let parsing: Set = [
  "AuthcoreABI", "BuildIdentity", "CBuildIdentity", "CSystemCalls", "Protocol", "EngineKit",
  "GrayImage",
  "FingerprintMatching",
]

/// The libraries for applications, and what they are made of: what an installation holds the sources
/// of (scripts/install reads this list).
let sdkModules: Set = [
  "AuthCoreClient", "BuildIdentity", "CBuildIdentity", "CLibcrypto", "CSystemCalls", "CUtf8proc",
  "Protocol", "CoreConnections", "CoreFoundation", "CoreFoundationTypes", "Cryptography",
  "FileTrust", "LinuxSystem", "LocalAuthentication", "Security", "SoftwareKeys",
  "TerminalPrompts",
]

/// `make run` builds what a session runs, and neither benchmarks nor what only checks and tests
/// drivers.
@MainActor func leaveOutTools() {
  let tools: Set = [
    "authcore-bench", "authcore-check-driver", "memory-canaries", "usb-exercise", "MatchStatistics",
    "Drawing", "CCairo", "TemplateDriver", "TemplateModel", "CountedAllocation",
    "CallTap", "FilterInterpretation", "MessageList", "PrivateKeyring", "PrivateLogind",
    "TerminalScripts",
    "authentication-exercise", "prompting-program", "ClientLibrary", "CClientLibrary",
    "CGTK", "CGettext", "PromptWindows", "WindowContents", "Windows", "authcore-agent",
    "authcore-settings",
    "window-exercise",
  ]
  package.targets = package.targets.filter { target in
    target.type != .test && !tools.contains(target.name) && !target.name.hasSuffix("Model")
      && !target.name.hasSuffix("ModelPlugin")
  }
  keepWholeProducts()
}

if sdkCore != nil {
  keepOnly(sdkModules)
  package.products.removeAll { $0.name != "authcore-sdk" }
} else if isDependency {
  // SwiftPM asks pkg-config for every system library that it knows of, and warns of its flags.
  keepOnly(
    sdkModules.union(["ImportSecurity", "ObjCStripping", "StripObjC", "strip-objc"]))
} else if Context.environment["AUTHCORE_SESSION"] != nil {
  leaveOutTools()
} else if Context.environment["AUTHCORE_FUZZ"] != nil {
  let fuzzers = [
    fuzzer("WireFuzzer", ["Protocol"]),
    fuzzer("CertificateFuzzer", ["Cryptography"], corpus: ["corpus"]),
    fuzzer("MessageFuzzer", ["EngineKit", "MessageList", "Protocol"]),
    fuzzer("HostFuzzer", ["MessageList", "PluginHosting", "LinuxSystem", "Protocol"]),
    fuzzer("PictureFuzzer", ["GrayImage"]),
    fuzzer("BackupFuzzer", ["BackupFormat", "Cryptography", "Protocol"]),
    fuzzer("CSVFuzzer", ["ItemTransfer", "Protocol"]),
    fuzzer("TemplateFuzzer", ["FingerprintMatching"]),
    fuzzer("PrintFuzzer", ["FingerprintMatching"]),
    fuzzer("TapeFuzzer", ["ReplayDriver", "SensorKit"], corpus: ["corpus"]),
    fuzzer("RecordingFuzzer", ["RecordingTransport", "SensorKit"], corpus: ["corpus"]),
    fuzzer("AssemblyFuzzer", ["FrameAssembly"]),
    fuzzer("AuthenTecFuzzer", ["AuthenTecDriver"]),
    fuzzer("NB1010Fuzzer", ["NB1010Driver"]),
    fuzzer("UPEKFuzzer", ["SensorKit", "UPEKDriver"]),
    fuzzer("ElanFuzzer", ["ElanDriver", "SensorKit"]),
    fuzzer("URU4000Fuzzer", ["URU4000Driver"]),
    fuzzer(
      "EnclaveFuzzer",
      [
        "Cryptography", "EnclaveEngine", "EnclaveSimulation", "EngineKit", "GoldenSamples",
        "Protocol",
      ], corpus: ["make-seeds"]),
  ]
  keepOnly(
    parsing.union([
      "FileTrust", "FrameAssembly", "MessageList", "Sandbox", "LinuxSystem", "PluginHosting",
      "SensorKit",
      "SyntheticPrints", "ReplayDriver", "RecordingTransport", "USBCapture", "CLibcrypto",
      "Cryptography", "BackupFormat", "CTSS", "EnclaveEngine", "ItemTransfer", "TrustedPlatform",
    ]).union(readers.map { "\($0.folder)Driver" }))
  package.products = fuzzers.map { .library(name: $0.name, type: .static, targets: [$0.name]) }
  package.targets += fuzzers
  // Of tests that are not built here: the enclave's platform in memory, and a made-up message of
  // every kind.
  package.targets += [
    .target(
      name: "EnclaveSimulation",
      dependencies: [
        "AuthcoreABI", "Cryptography", "EnclaveEngine", "EngineKit", "GrayImage", "SyntheticPrints",
        "Protocol",
      ], path: "Tests/EnclaveTests/Simulation",
      sources: ["NumberedContexts.swift", "SimulatedFinger.swift", "SimulatedPlatform.swift"]),
    .target(
      name: "GoldenSamples", dependencies: ["Protocol", "EngineKit"],
      path: "Tests/GoldenBytesTests", exclude: ["Fixtures", "GoldenBytesTests.swift"]),
  ]
  for target in package.targets where target.type == .regular && target.name != "CSystemCalls" {
    target.swiftSettings =
      settings + [
        .unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library", "-O"])
      ]
  }
} else if Context.environment["AUTHCORE_SANITIZE"] != nil {
  keepOnly(
    parsing.union([
      "CLibcrypto", "Cryptography", "LinuxSystem", "TestCertificates", "PolicyEngine", "WireTests",
      "EngineKitTests",
      "ClientProtocolTests", "MessageList", "GoldenBytesTests", "GrayImageTests",
      "CryptographyTests", "PolicyTests",
    ]))
}
