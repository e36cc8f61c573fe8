import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

struct SDKCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sdk",
    abstract: "Have Swift packages for Apple's systems build here.",
    subcommands: [SDKInstallCommand.self])
}

struct SDKInstallCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Build the libraries for applications, for the Swift toolchain at hand.",
    discussion: """
      Makes a folder with the modules Security and LocalAuthentication, and a toolset file with which \
      a package that was written for Apple's systems builds as it is. Modules belong to the compiler \
      that made them: run this again for another toolchain. Takes a minute or two.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder to make; in ~/.local/share/authcore/sdk where none is named.",
      valueName: "folder"))
  var folder: String?

  @Option(help: "The toolchain's swift; the one of PATH where none is named.")
  var swift: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let installation = Installation.current(isService: false)
    let toolchain = try SwiftToolchain(swift, relativeTo: invocation.environment.workingFolder)
    guard let sources = installation.sdkSources else {
      throw Failure(
        .usage, "The sources of the libraries are not there (\(installation.tree.text))",
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
    return .done
  }

  private func target(
    for toolchain: SwiftToolchain, _ invocation: Invocation
  ) throws(Failure) -> String {
    if let folder {
      guard !folder.isEmpty else { throw Failure(.usage, "The folder to make has no name") }
      return invocation.environment.absolute(folder)
    }
    guard let data = invocation.environment.dataFolder else {
      throw Failure(
        .usage, "There is no folder for it: neither XDG_DATA_HOME nor HOME is set",
        hint: "Name one: authcore sdk install FOLDER")
    }
    return data + "/sdk/swift-" + toolchain.version
  }

  /// Runs scripts/build-sdk.
  private func build(
    _ sources: String, _ toolchain: SwiftToolchain, _ target: String, core: String
  ) throws(Failure) {
    var launch = ProgramLaunch(
      path: sources + "/scripts/build-sdk", arguments: [toolchain.path, core, target])
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
        hint: "They want libssl-dev and libutf8proc-dev: apt-get install both.")
    }
  }
}

extension Installation {
  /// Where the libraries' sources lie: beside what is installed, or the package that was built.
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
  /// The folders that a path lies in, the innermost first.
  fileprivate var foldersAbove: [String] {
    var (folders, rest) = ([String](), self[...])
    while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
      rest = rest[..<slash]
      folders.append(String(rest))
    }
    return folders
  }
}
