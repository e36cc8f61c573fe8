import CSystemCalls

/// Which version this is, and of which commit.
package enum BuildIdentity {
  /// The version of this software.
  package static let version = "0.1.0"

  /// The path of `authcored`, in libraries that `authcore sdk install` built for one installation;
  /// nil in others.
  package static var coreProgram: String? {
    let path = unsafe String(cString: ac_build_core_program())
    return path.isEmpty ? nil : path
  }

  /// What `--version` says: `authcored 0.1.0 (1a2b3c4d5e6f)`; without the commit where a build was
  /// not told it.
  package static func text(of program: String) -> String {
    // A literal of the program: it stays where it is.
    let commit = unsafe String(cString: ac_build_commit())
    return "\(program) \(version)" + (commit.isEmpty ? "" : " (\(commit))")
  }
}
