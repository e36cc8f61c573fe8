import Glibc
import LinuxSystem
import Protocol

struct SwiftToolchain {
  /// Absolute path of its `swift`.
  let path: String
  /// As it says itself: `6.3.1`.
  let version: String

  /// - Parameters:
  ///   - named: its `swift`; nil: that of `PATH`.
  ///   - folder: what a relative path is relative to.
  /// - Throws: `usage` where there is none, or what is there is none.
  init(_ named: String?, relativeTo folder: String) throws(Failure) {
    if let named {
      path = named.hasPrefix("/") ? named : folder + "/" + named
    } else {
      let folders = EnvironmentVariable.value(of: "PATH")?.split(separator: ":") ?? []
      let candidates: [String] = folders.map { "\($0)/swift" }
      let found = candidates.first { unsafe access($0, X_OK) == 0 }
      guard let found else {
        throw Failure(
          .usage, "There is no swift in PATH",
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
      throw Failure(
        .usage, "\(path) does not say which version of Swift it is",
        hint: "Name the swift of a toolchain: --swift FILE")
    }
    return String(version)
  }

  /// What `swift --version` writes.
  private static func output(of path: String) throws(Failure) -> String {
    var pipe = try Pipe(nonBlocking: .writer)
    var launch = ProgramLaunch(path: path, arguments: ["--version"])
    launch.environment = EnvironmentVariable.entries
    launch.standardStreams = [nil, pipe.writer, nil]
    do throws(SystemCallError) {
      let process = try launch.start()
      pipe.closeWriter()
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = unsafe read(pipe.reader, &buffer, buffer.count), count > 0 {
        text += buffer.prefix(count)
      }
      _ = process.wait()
      return String(decoding: text, as: UTF8.self)
    } catch {
      throw Failure(
        .usage, "Cannot run \(path): \(error)", hint: "Name the swift of a toolchain: --swift FILE")
    }
  }
}
