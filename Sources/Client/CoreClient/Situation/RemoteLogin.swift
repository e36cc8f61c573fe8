import LinuxSystem

/// Whether the person who runs this program sits elsewhere.
///
/// By word of the environment that sshd gives a session (sshd(8), "ENVIRONMENT"): a rule for the
/// person's own good, so that nobody at the machine answers for somebody who is not there. It binds
/// nobody who changes the environment.
package enum RemoteLogin {
  /// - Parameter environment: the value of a variable; by default that of this process's.
  /// - Returns: true over SSH.
  package static func isUsed(
    _ environment: (String) -> String? = { EnvironmentVariable.value(of: $0) }
  ) -> Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { environment($0)?.isEmpty == false }
  }
}
