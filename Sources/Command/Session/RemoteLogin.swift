import System

/// Whether the person who runs this command sits elsewhere.
///
/// By word of the environment that sshd gives a session (sshd(8), "ENVIRONMENT"): a rule for the
/// person's own good, so that nobody at the machine answers for somebody who is not there. It binds
/// nobody who changes the environment.
enum RemoteLogin {
  static var isUsed: Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { EnvironmentVariable.value(of: $0)?.isEmpty == false }
  }
}
