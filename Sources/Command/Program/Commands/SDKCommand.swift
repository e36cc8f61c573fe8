import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

struct SDKCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "sdk", "Build Swift packages that were written for Apple's systems.",
    subcommands: [SDKInstallCommand.self])
}

private struct SDKInstallCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "install", "Build the libraries for applications with your Swift toolchain.",
    discussion: """
      Makes a folder with the modules Security and LocalAuthentication, and a toolset file. With \
      it, a package that was written for Apple's systems builds unchanged. Modules belong to the \
      compiler that made them: run this again for another toolchain. It takes a minute or two. \
      --cryptokit adds the module CryptoKit, for which swift-crypto is fetched and built.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder to make. Without it: in ~/.local/share/authcore/sdk.", valueName: "folder"))
  var folder: String?

  @Option(help: "The toolchain's swift. Without it: that of PATH.")
  var swift: String?

  @Flag(name: .customLong("cryptokit"), help: "Add CryptoKit. Fetches swift-crypto.")
  var withCryptoKit = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let installation = Installation.current(isService: false)
    let toolchain = try SwiftToolchain(swift, relativeTo: invocation.environment.workingFolder)
    guard let sources = installation.sdkSources else {
      throw .usage(
        "The sources of the libraries are missing (\(installation.tree.text))",
        hint: installation.tree.remedy)
    }
    let target = try target(for: toolchain, invocation)
    invocation.output.note("Building with Swift \(toolchain.version); this takes a while.")
    try build(sources, toolchain, target, core: installation.executableFolder + "/authcored")
    let toolset = target + "/toolset.json"
    invocation.output.result(
      .object([
        "folder": .string(target), "toolset": .string(toolset),
        "swift": .string(toolchain.version),
      ]),
      [
        "Made \(target.printable) for Swift \(toolchain.version). In a package's folder:", "",
        "  swift build --toolset \(toolset.printable)",
      ])
  }

  private func target(
    for toolchain: SwiftToolchain, _ invocation: Invocation
  ) throws(Failure) -> String {
    if let folder {
      guard !folder.isEmpty else { throw .usage("The folder to make has no name") }
      return invocation.environment.absolute(folder)
    }
    guard let data = invocation.environment.dataFolder else {
      throw .usage(
        "No folder is given, and neither XDG_DATA_HOME nor HOME is set",
        hint: "Name one: authcore sdk install FOLDER")
    }
    return data + "/sdk/swift-" + toolchain.version
  }

  /// Runs scripts/build-sdk.
  private func build(
    _ sources: String, _ toolchain: SwiftToolchain, _ target: String, core: String
  ) throws(Failure) {
    var launch = ProgramLaunch(
      path: sources + "/scripts/build-sdk",
      arguments: [toolchain.path, core, target] + (withCryptoKit ? ["CryptoKit"] : []))
    launch.environment = EnvironmentVariable.entries
    launch.standardStreams = [nil, 2, 2]
    let end: ProcessEnd?
    do throws(SystemCallError) {
      end = try launch.start().wait()
    } catch {
      throw Failure(.coreFailed, "Cannot run \(launch.path): \(error)")
    }
    guard end == .exited(0) else {
      throw Failure(
        .driverFailed, "The libraries could not be built with \(toolchain.path)",
        hint: withCryptoKit
          ? "They need libssl-dev, libutf8proc-dev, binutils, and a network for swift-crypto."
          : "They need libssl-dev and libutf8proc-dev: apt-get install both.")
    }
  }
}

extension Installation {
  /// The folder of the libraries' sources: in the installation, or the package that was built.
  fileprivate var sdkSources: String? {
    let candidates =
      switch tree {
      case .installed(let prefix): [(prefix == "/" ? "" : prefix) + "/lib/authcore/sdk"]
      case .built(let folder): folder.foldersAbove
      }
    return candidates.first { folder in
      unsafe access(folder + "/Package.swift", R_OK) == 0
        && access(folder + "/scripts/build-sdk", X_OK) == 0
    }
  }
}

extension String {
  /// The folders around a path, innermost first.
  fileprivate var foldersAbove: [String] {
    var (folders, rest) = ([String](), self[...])
    while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
      rest = rest[..<slash]
      folders.append(String(rest))
    }
    return folders
  }
}

private struct SwiftToolchain {
  /// Absolute path of its `swift`.
  let path: String
  /// Such as `6.3.1`.
  let version: String

  /// - Parameters:
  ///   - named: its `swift`; nil: that of `PATH`.
  ///   - folder: what a relative path is relative to.
  /// - Throws: `usage` if there is none, or it is not Swift.
  init(_ named: String?, relativeTo folder: String) throws(Failure) {
    if let named {
      path = named.hasPrefix("/") ? named : folder + "/" + named
    } else {
      let folders = EnvironmentVariable.value(of: "PATH")?.split(separator: ":") ?? []
      let candidates: [String] = folders.map { "\($0)/swift" }
      let found = candidates.first { unsafe access($0, X_OK) == 0 }
      guard let found else {
        throw .usage(
          "There is no swift in PATH",
          hint: "Install a toolchain (swift.org/install), or name one: --swift FILE")
      }
      path = found
    }
    version = try Self.version(of: path)
  }

  private static func version(of path: String) throws(Failure) -> String {
    let said = try output(of: path)
    guard let start = said.firstRange(of: "Swift version "),
      case let version = said[start.upperBound...].prefix(while: { $0.isNumber || $0 == "." }),
      !version.isEmpty
    else {
      throw .usage(
        "\(path) does not say which version of Swift it is",
        hint: "Name the swift of a toolchain: --swift FILE")
    }
    return String(version)
  }

  /// The output of `swift --version`.
  private static func output(of path: String) throws(Failure) -> String {
    do throws(Failure) {
      return try ProgramLaunch(path: path, arguments: ["--version"]).output()
    } catch {
      throw .usage(error.message, hint: "Name the swift of a toolchain: --swift FILE")
    }
  }
}
