import CSystemCalls

/// The version and commit of this build.
package enum BuildIdentity {
  package static let version = "0.1.0"

  /// The path of `authcored`, in libraries that `authcore sdk install` built for one installation.
  package static var coreProgram: String? {
    let path = unsafe String(cString: ac_build_core_program())
    return path.isEmpty ? nil : path
  }

  /// The text of `--version`: `authcored 0.1.0 (1a2b3c4d5e6f)`, without an unknown commit.
  package static func text(of program: String) -> String {
    // A string literal, which stays valid.
    let commit = unsafe String(cString: ac_build_commit())
    return "\(program) \(version)" + (commit.isEmpty ? "" : " (\(commit))")
  }
}
