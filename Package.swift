// swift-tools-version: 6.2
import PackageDescription

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

/// Image processing is unusably slow without the optimiser, so these modules have it in debug
/// builds too.
let optimised = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The commit that `--version` names, where the build is told it: see scripts/build-commit.
let buildCommit: [CSetting] =
  (Context.environment["AUTHCORE_COMMIT"]).map { commit in
    let name = commit.filter { $0.isHexDigit || "-changed".contains($0) }
    return [.define("AUTHCORE_COMMIT", to: "\"\(name)\"")]
  } ?? []

/// A plugin exports its one entry symbol and nothing else.
func exporting(_ script: String) -> [LinkerSetting] {
  [
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
    name: "\(name)Engine", dependencies: ["AuthcoreABI", "EngineKit", "Wire"] + dependencies,
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
    path: "Drivers/\(name)", exclude: ["Plugin"], swiftSettings: optimised)
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
      exclude: ["Plugin"], swiftSettings: optimised),
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
  "URU4000": ["GreyImage", "SyntheticPrints"]
]

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
    exclude: exclude, swiftSettings: settings)
}

func plugin(_ name: String, _ target: String) -> Product {
  .library(name: name, type: .dynamic, targets: [target])
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "authcore",
  products: [
    .executable(name: "authcore", targets: ["authcore"]),
    .executable(name: "authcored", targets: ["authcored"]),
    .executable(name: "authcore-host", targets: ["authcore-host"]),
    .executable(name: "authcore-check-driver", targets: ["authcore-check-driver"]),
    .executable(name: "authcore-bench", targets: ["authcore-bench"]),
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
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "AuthcoreABI", path: "include"),
    .systemLibrary(name: "CLibcrypto", path: "Sources/CLibcrypto", pkgConfig: "libcrypto"),
    .systemLibrary(name: "CCairo", path: "Sources/CCairo", pkgConfig: "cairo"),
    .systemLibrary(name: "CLibpng", path: "Sources/CLibpng", pkgConfig: "libpng"),
    .systemLibrary(name: "CUtf8proc", path: "Sources/CUtf8proc"),
    .systemLibrary(name: "CLibfprint", path: "Sources/CLibfprint", pkgConfig: "gobject-2.0"),
    .systemLibrary(name: "CTSS", path: "Sources/CTSS", pkgConfig: "tss2-esys"),
    .systemLibrary(name: "CLibusb", path: "Sources/CLibusb", pkgConfig: "libusb-1.0"),
    .target(name: "CSystemCalls", path: "Sources/CSystemCalls"),
    .target(
      name: "CBuildIdentity", path: "Sources/CBuildIdentity", cSettings: buildCommit),
    // libsystemd is loaded where it is used: see the header.
    .target(name: "CSystemd", path: "Sources/CSystemd"),
    // In the programs that hold secrets, prints or frames, and in no library.
    .target(name: "CWipingAllocator", path: "Sources/CWipingAllocator"),
    // #embed is of C23; clang has it in every mode.
    .target(
      name: "CEmbeddedFiles", path: "Sources/CEmbeddedFiles",
      cSettings: [.unsafeFlags(["-Wno-c23-extensions"])]),

    module("BuildIdentity", ["CBuildIdentity"]),
    module("Wire", ["CSystemCalls"]),
    module("System", ["CSystemCalls", "Wire"]),
    module("Sandbox", ["CSystemCalls", "System", "Wire"]),
    module("Cryptography", ["CLibcrypto", "Wire"]),
    module("BackupFormat", ["Cryptography", "Wire"]),
    module("TrustedPlatform", ["CTSS", "Wire"]),
    module("EngineKit", ["AuthcoreABI", "Wire"]),
    module("ClientProtocol", ["BuildIdentity", "Wire"]),
    module("ItemTransfer", ["System", "Wire"]),
    module("SecretService", ["CSystemd", "Cryptography", "ItemTransfer", "System", "Wire"]),
    module("SensorKit", ["AuthcoreABI", "FrameAssembly"]),
    module("USBCapture", ["SensorKit"]),
    module("GreyImage"),
    module("FingerprintMatching", settings: optimised),
    module("FrameAssembly", settings: optimised),
    module("SyntheticPrints", ["GreyImage"], settings: optimised),
    module("MatchStatistics", settings: optimised),
    module("Drawing", ["CCairo"]),
    module(
      "PluginHosting",
      ["AuthcoreABI", "CSystemCalls", "FrameAssembly", "Sandbox", "System", "Wire"]),
    module("DriverKit", ["CEmbeddedFiles", "PluginHosting", "System", "Wire"]),
    module(
      "AuthCore",
      [
        "AuthcoreABI", "ClientProtocol", "Cryptography", "EngineKit", "PluginHosting", "Sandbox",
        "System", "Wire",
      ]),
    module(
      "AuthCoreClient",
      ["ClientProtocol", "CSystemCalls", "CUtf8proc", "Sandbox", "System", "Wire"]),

    program(
      "authcore", "Command",
      [
        argumentParser, "AuthCoreClient", "BackupFormat", "BuildIdentity", "CLibpng",
        "CSystemCalls", "CUtf8proc", "CWipingAllocator", "ClientProtocol", "Cryptography",
        "DriverKit", "FingerprintMatching", "GreyImage",
        "ItemTransfer", "PluginHosting", "Sandbox", "SecretService", "System", "Wire",
      ]),
    program(
      "authcore-check-driver", "DriverCheck",
      [
        "AuthcoreABI", "CSystemCalls", "DriverKit", "FrameAssembly", "PluginHosting", "Sandbox",
        "System", "Wire",
      ]),
    program("authcored", "Daemon", ["AuthCore", "BuildIdentity", "CWipingAllocator", "Wire"]),
    program(
      "authcore-host", "Host",
      [
        "AuthcoreABI", "BuildIdentity", "CSystemCalls", "CWipingAllocator", "PluginHosting",
        "Sandbox", "System", "Wire",
      ]),
    program(
      "authcore-bench", "Benchmarks",
      [
        argumentParser, .product(name: "GRDB", package: "GRDB.swift"), "AuthCoreClient",
        "BuildIdentity", "CLibcrypto", "ClientProtocol", "Cryptography", "Drawing", "EngineKit",
        "FingerprintMatching", "FrameAssembly", "GreyImage", "MatchStatistics", "PluginHosting",
        "System", "SyntheticPrints", "Wire",
      ], settings: optimised),

    engine("Enclave", ["BackupFormat", "Cryptography", "FingerprintMatching", "TrustedPlatform"]),
    engine("Keychain", ["Cryptography", .product(name: "GRDB", package: "GRDB.swift")]),
    engine("Policy", []),
    entry("Enclave"),
    entry("Keychain"),
    entry("Policy"),
    template("TemplateDriver", "template.c", exporting: "sensor.map"),
    template("TemplateModel", "template-model.c", exporting: "model.map"),
    driver("Replay", ["GreyImage", "SyntheticPrints"]),
    entry(of: "ReplayDriver", in: "Replay", exporting: "sensor.map"),
    driver("LibfprintBridge", ["CLibfprint"]),
    entry(of: "LibfprintBridgeDriver", in: "LibfprintBridge", exporting: "sensor.map"),
    transport("USB", ["CLibusb", "USBCapture"]),
    entry(of: "USBTransport", in: "USBTransport", exporting: "transport.map"),
    .executableTarget(
      name: "usb-exercise", dependencies: ["AuthcoreABI", "RecordingTransport", "SensorKit"],
      path: "Tests/USBExercise", swiftSettings: settings),
    .executableTarget(
      name: "memory-canaries", dependencies: ["FingerprintMatching", "GreyImage"],
      path: "Tests/Memory/Canaries", swiftSettings: settings),
    transport("Recording", ["USBCapture"]),
    entry(of: "RecordingTransport", in: "RecordingTransport", exporting: "transport.map"),
    transport("Simulated"),
    entry(of: "SimulatedTransport", in: "SimulatedTransport", exporting: "transport.map"),

    tests("Wire", ["Wire"]),
    tests("System", ["System", "Wire"]),
    .target(
      name: "FilterInterpretation", dependencies: ["CSystemCalls", "Sandbox"],
      path: "Tests/FilterInterpretation", swiftSettings: settings),
    tests("Sandbox", ["CSystemCalls", "FilterInterpretation", "Sandbox", "System", "Wire"]),
    .target(
      name: "TestCertificates", path: "Tests/TestCertificates", swiftSettings: settings),
    tests(
      "Cryptography", ["Cryptography", "TestCertificates", "Wire"], exclude: ["Fixtures"]),
    .target(
      name: "SoftwareTPM",
      dependencies: ["AuthcoreABI", "PluginHosting", "System", "TrustedPlatform"],
      path: "Tests/SoftwareTPM", swiftSettings: settings),
    tests("BackupFormat", ["BackupFormat", "Cryptography", "Wire"]),
    tests("TrustedPlatform", ["SoftwareTPM", "TrustedPlatform", "Wire"]),
    tests("EngineKit", ["EngineKit", "Wire"]),
    tests("ClientProtocol", ["ClientProtocol", "Wire"]),
    .target(
      name: "MessageList", dependencies: ["ClientProtocol", "EngineKit", "Wire"],
      path: "Tests/MessageList", swiftSettings: settings),
    tests(
      "GoldenBytes", ["ClientProtocol", "EngineKit", "MessageList", "Wire"], exclude: ["Fixtures"]),
    tests("GreyImage", ["GreyImage"]),
    tests("ItemTransfer", ["ItemTransfer", "PrivateKeyring", "System", "Wire"]),
    .target(
      name: "PrivateKeyring", dependencies: ["SecretService", "Wire"], path: "Tests/PrivateKeyring",
      swiftSettings: settings),
    tests("SecretService", ["ItemTransfer", "PrivateKeyring", "SecretService", "Wire"]),
    tests("FrameAssembly", ["AuthcoreABI", "Cryptography", "FrameAssembly", "PluginHosting"]),
    .target(name: "CountedAllocation", path: "Tests/CountedAllocation"),
    tests(
      "FingerprintMatching",
      ["CountedAllocation", "FingerprintMatching", "GreyImage", "SyntheticPrints"]),
    tests("SyntheticPrints", ["GreyImage", "SyntheticPrints"]),
    tests("MatchStatistics", ["MatchStatistics"]),
    tests("Drawing", ["Drawing"]),
    tests(
      "Benchmarks",
      ["FingerprintMatching", "GreyImage", "MatchStatistics", "SyntheticPrints", "authcore-bench"]),
    .testTarget(
      name: "PluginHostingTests",
      dependencies: [
        "FilterInterpretation", "PluginHosting", "Sandbox", "System", "Wire", "authcore-host",
      ],
      path: "Tests/PluginHostingTests", exclude: ["Fixtures"], swiftSettings: settings),
    tests(
      "Drivers",
      [
        "AuthcoreABI", "Cryptography", "FingerprintMatching", "FrameAssembly", "GreyImage",
        "LibfprintBridgeDriver", "RecordingTransport", "ReplayDriver", "SensorKit", "USBCapture",
        "USBTransport", "usb-exercise",
      ] + readerModules),
    tests(
      "Enclave",
      [
        "AuthcoreABI", "BackupFormat", "Cryptography", "EnclaveEngine", "EngineKit",
        "FingerprintMatching",
        "GreyImage", "SoftwareTPM", "SyntheticPrints", "TrustedPlatform", "Wire",
      ], exclude: ["Fixtures"]),
    .target(name: "CallTap", path: "Tests/CallTap"),
    tests(
      "Keychain",
      [
        "AuthcoreABI", "CallTap", "Cryptography", "EngineKit", "KeychainEngine",
        "TestCertificates", "Wire",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    tests("Policy", ["EngineKit", "PolicyEngine", "Wire"]),
    tests(
      "AuthCore",
      [
        "AuthCore", "AuthcoreABI", "ClientProtocol", "EngineKit", "PluginHosting", "PolicyEngine",
        "Sandbox", "System", "Wire",
      ]),
    tests("AuthCoreClient", ["AuthCoreClient", "ClientProtocol", "System", "Wire"]),
    .testTarget(
      name: "DriverKitTests",
      dependencies: [
        "DriverKit", "PluginHosting", "Sandbox", "System", "Wire", "authcore-check-driver",
      ],
      path: "Tests/DriverKitTests", exclude: ["Fixtures"], swiftSettings: settings),
    tests(
      "Command",
      [
        "AuthCoreClient", "BuildIdentity", "ClientProtocol", "Cryptography", "System", "Wire",
        "authcore",
      ]),
    tests(
      "EndToEnd",
      [
        "AuthCoreClient", "CLibpng", "ClientProtocol", "Cryptography", "GreyImage",
        "PrivateKeyring", "SyntheticPrints", "TestCertificates", "Wire",
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

/// `make fuzz` and `make sanitize` build the light modules alone: what reads bytes from elsewhere,
/// and its tests.
@MainActor func keepOnly(_ names: Set<String>) {
  package.products = []
  package.dependencies = []
  package.targets = package.targets.filter { names.contains($0.name) }
}

let parsing: Set = [
  "AuthcoreABI", "BuildIdentity", "CBuildIdentity", "CSystemCalls", "Wire", "EngineKit",
  "ClientProtocol", "GreyImage",
  "FingerprintMatching",
]

/// `make run` builds what a session runs, and neither benchmarks nor what only checks and tests
/// drivers.
@MainActor func leaveOutTools() {
  let tools: Set = [
    "authcore-bench", "authcore-check-driver", "memory-canaries", "usb-exercise", "MatchStatistics",
    "Drawing", "CCairo", "TemplateDriver", "TemplateModel", "CountedAllocation",
    "CallTap", "FilterInterpretation", "MessageList", "PrivateKeyring",
  ]
  package.targets = package.targets.filter { target in
    target.type != .test && !tools.contains(target.name) && !target.name.hasSuffix("Model")
      && !target.name.hasSuffix("ModelPlugin")
  }
  let names = Set(package.targets.map(\.name))
  package.products = package.products.filter { product in
    switch product {
    case let library as Product.Library: names.isSuperset(of: library.targets)
    case let program as Product.Executable: names.isSuperset(of: program.targets)
    default: false
    }
  }
}

if Context.environment["AUTHCORE_SESSION"] != nil {
  leaveOutTools()
} else if Context.environment["AUTHCORE_FUZZ"] != nil {
  let fuzzers = [
    fuzzer("WireFuzzer", ["Wire"]),
    fuzzer("CertificateFuzzer", ["Cryptography"], corpus: ["corpus"]),
    fuzzer("MessageFuzzer", ["EngineKit", "MessageList", "Wire"]),
    fuzzer("HostFuzzer", ["MessageList", "PluginHosting", "System", "Wire"]),
    fuzzer("PictureFuzzer", ["GreyImage"]),
    fuzzer("BackupFuzzer", ["BackupFormat", "Cryptography", "Wire"]),
    fuzzer("CSVFuzzer", ["ItemTransfer", "Wire"]),
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
        "Cryptography", "EnclaveEngine", "EnclaveSimulation", "EngineKit", "GoldenSamples", "Wire",
      ], corpus: ["make-seeds"]),
  ]
  keepOnly(
    parsing.union([
      "FrameAssembly", "MessageList", "Sandbox", "System", "PluginHosting", "SensorKit",
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
        "AuthcoreABI", "Cryptography", "EnclaveEngine", "EngineKit", "GreyImage", "SyntheticPrints",
        "Wire",
      ], path: "Tests/EnclaveTests/Simulation",
      sources: ["NumberedContexts.swift", "SimulatedFinger.swift", "SimulatedPlatform.swift"]),
    .target(
      name: "GoldenSamples", dependencies: ["ClientProtocol", "EngineKit", "Wire"],
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
      "CLibcrypto", "Cryptography", "TestCertificates", "PolicyEngine", "WireTests",
      "EngineKitTests",
      "ClientProtocolTests", "MessageList", "GoldenBytesTests", "GreyImageTests",
      "CryptographyTests", "PolicyTests",
    ]))
}
