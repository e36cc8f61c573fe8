import LinuxSystem
package import Protocol

/// How a person at the terminal of this process can take part in its requests (docs/terminal.md,
/// docs/decisions/0035).
///
/// The process's own word: it binds nobody who changes the environment or the terminal.
package struct TerminalSituation: Equatable, Sendable {
  /// Where the process runs.
  package enum Place: CaseIterable, Sendable {
    /// Where the keys of its controlling terminal go.
    case foreground
    /// Behind a shell's `&`.
    case background
    /// Without a controlling terminal: cron, CI, `setsid`, a desktop's menu.
    case noTerminal
  }

  /// Where the process runs.
  package let place: Place
  /// Whether the person sits elsewhere.
  package let isRemote: Bool

  /// One that was found otherwise.
  package init(_ place: Place, isRemote: Bool) {
    (self.place, self.isRemote) = (place, isRemote)
  }

  /// That of the process at this moment, whose controlling terminal this is.
  package init(of terminal: Terminal?) {
    let place = terminal.map { $0.isInForeground ? Place.foreground : .background }
    self.init(place ?? .noTerminal, isRemote: RemoteLogin.isUsed())
  }

  /// Whether a passcode can be typed.
  package var takesKeys: Bool { place == .foreground }

  /// Whether the person who wants it may be asked elsewhere than on the terminal, by the agent of
  /// the session at this machine: who is logged in from afar does not sit there.
  package var mayUseAgent: Bool { !isRemote }

  /// Whose touch a request may wait for; if that is none nobody can be asked at all.
  /// - Parameter isUnattended: whether a touch counts that no prompt announces (`--unattended`).
  /// - Returns: what the request says of it.
  package func awaitedTouch(isUnattended: Bool = false) -> AwaitedTouch {
    switch place {
    case .background: .none
    case .foreground: isRemote ? .played : .person
    case .noTerminal: isUnattended && !isRemote ? .unattended : .played
    }
  }
}

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
