import BuildIdentity
import Glibc
import LinuxSystem
package import Protocol

/// Where `authcored` lies: beside the running program, if that is one of ours.
package enum CoreProgram {
  /// Its absolute path beside the running program, whether or not there is such a file.
  package static func path() -> String { folder() + "/" + name }

  /// The folder of the running program (`/proc/self/exe`, proc(5)).
  package static func folder() -> String {
    guard let path = RunningExecutable.ofThisProcess()?.path,
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
    else { return "/usr/bin" }
    return slash == 0 ? "/" : String(decoding: path[..<slash], as: UTF8.self)
  }

  private static let name = "authcored"
  /// Names the program to start, for development.
  private static let variable = "AUTHCORE_CORE"
  /// Where it is installed under a prefix (scripts/install).
  private static let installed = "/lib/authcore/bin/" + name

  /// `authcored` for a program that need not be one of ours: what `AUTHCORE_CORE` names; what the
  /// libraries were built for; beside the running program; with the `authcore` of `PATH`; under the
  /// usual prefixes.
  /// - Throws: `untrustedPlugin` where somebody else can change what `AUTHCORE_CORE` names or
  ///   `PATH` finds; `coreFailed` where there is none.
  package static func find() throws(Failure) -> String {
    if let named = EnvironmentVariable.value(of: variable), !named.isEmpty {
      guard named.hasPrefix("/") else {
        throw Failure(
          .coreFailed, "\(variable) is no absolute path: \(named)",
          hint: "let it name authcored, as \(variable)=/usr/local\(installed)")
      }
      return try TrustedFile(checking: named, missing: .coreFailed).path
    }
    let candidates =
      [BuildIdentity.coreProgram, path()].compactMap(\.self) + besideCommand()
      + ["/usr/local", "/usr"].map { $0 + installed }
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw Failure(
        .coreFailed, "authcored, which serves the keychain, was not found",
        hint: "Install authcore, or name authcored with \(variable)=/path/to/authcored.")
    }
    return try TrustedFile(checking: found, missing: .coreFailed).path
  }

  /// With the command that people start.
  private static func besideCommand() -> [String] {
    let folders = EnvironmentVariable.value(of: "PATH")?.split(separator: ":") ?? []
    return folders.compactMap { folder in
      guard folder.hasPrefix("/"), let path = CanonicalPath.of(folder + "/authcore") else {
        return nil
      }
      return path.lastIndex(of: "/").map { path[..<$0] + "/" + name }
    }
  }
}
