import LinuxSystem
package import Protocol

/// How a person at the terminal of this process can take part in its requests (docs/terminal.md,
/// docs/decisions/0035).
///
/// This is the process's own statement, which a changed environment or terminal changes.
package struct TerminalSituation: Equatable, Sendable {
  package enum Place: CaseIterable, Sendable {
    /// In the foreground of its controlling terminal.
    case foreground
    /// In the foreground beside another program that reads its terminal, or it is another process's
    /// terminal: prompts are written there, and nothing is typed.
    case shared
    /// In the background, as with a shell's `&`.
    case background
    /// Without a controlling terminal: cron, CI, `setsid`, a desktop's menu.
    case noTerminal
  }

  package let place: Place
  /// Whether the person is elsewhere.
  package let isRemote: Bool

  package init(_ place: Place, isRemote: Bool) {
    (self.place, self.isRemote) = (place, isRemote)
  }

  /// The situation of the process at this moment, with its controlling terminal, whoever else
  /// reads that.
  /// - Parameters:
  ///   - terminal: ``Terminal/controlling()``.
  ///   - caller: a process that started this one and waits for it; nil if a person did. Both must be
  ///     in the foreground: what a shell runs in the background has that shell as its caller.
  package init(of terminal: Terminal?, startedBy caller: Int32? = nil) {
    self.init(Self.place(terminal, caller), isRemote: RemoteLogin.isUsed())
  }

  private static func place(_ terminal: Terminal?, _ caller: Int32?) -> Place {
    guard let terminal else { return .noTerminal }
    guard terminal.isInForeground, caller.map(terminal.isForeground) ?? true else {
      return .background
    }
    return .foreground
  }

  /// The same where another program may read the keys of the terminal.
  func beside(readersOf terminal: Terminal?) -> TerminalSituation {
    guard takesKeys, terminal?.hasOtherReader == true else { return self }
    return TerminalSituation(.shared, isRemote: isRemote)
  }

  /// Whether a passcode can be typed.
  package var takesKeys: Bool { place == .foreground }

  /// Whether the person sees what is written on the terminal.
  package var showsPrompts: Bool { place == .foreground || place == .shared }

  /// Whether the agent of the session at this machine may ask instead of the terminal: a person who
  /// is logged in from elsewhere is not there.
  package var mayUseAgent: Bool { !isRemote }

  /// Whose touch a request may wait for.
  /// - Parameter isUnattended: whether a touch counts that no prompt announces (`--unattended`).
  /// - Returns: `none` if nobody can be asked at all.
  package func awaitedTouch(isUnattended: Bool = false) -> AwaitedTouch {
    switch place {
    case .background: .none
    case .foreground, .shared: isRemote ? .played : .person
    case .noTerminal: isUnattended && !isRemote ? .unattended : .played
    }
  }
}

/// Whether the person who runs this program is elsewhere.
///
/// The environment from sshd tells (sshd(8), "ENVIRONMENT"). The rule protects the person, so that
/// nobody at the machine answers instead; changing the environment evades it.
package enum RemoteLogin {
  /// - Parameter environment: returns the value of a variable; by default from this process.
  /// - Returns: true over SSH.
  package static func isUsed(
    _ environment: (String) -> String? = { EnvironmentVariable.value(of: $0) }
  ) -> Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { environment($0)?.isEmpty == false }
  }

  /// The same of another process; true if its environment cannot be seen.
  package static func isUsed(by process: Int32) -> Bool {
    guard let entries = SmallFile.contents(of: "/proc/\(process)/environ", limit: 4 << 20) else {
      return true
    }
    return isUsed { name in
      entries.split(separator: 0).first { $0.starts(with: Array("\(name)=".utf8)) }
        .map { String(decoding: $0.dropFirst(name.utf8.count + 1), as: UTF8.self) }
    }
  }
}
