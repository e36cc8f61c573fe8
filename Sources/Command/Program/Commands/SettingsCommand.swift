import ArgumentParser
import CoreClient
import Protocol

struct SettingsCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "settings", "Show and change the settings of this keychain.",
    discussion: """
      lock-after is a number of minutes (1…480) after the last match or passcode, or screen. With \
      screen, the keychain stays open while your session's screen is unlocked. If it is not known \
      when the screen locks, 15 minutes apply. The keychain always locks with the screen, when the \
      machine is suspended, when you log out, and after 8 hours.

      erase-after is how many different wrong passcodes in a row destroy everything stored here. 0 \
      is never.

      A looser setting needs the passcode.

          authcore settings lock-after 30
          authcore settings lock-after screen
      """)

  @Argument(help: "lock-after or erase-after. Without it, all are shown.")
  var name: Setting?

  @Argument(help: "The new value. Without it, the setting is shown.")
  var value: String?

  @OptionGroup var options: GlobalOptions

  enum Setting: String, CaseIterable, ExpressibleByArgument {
    case lockAfter = "lock-after"
    case eraseAfter = "erase-after"
  }

  func run(_ invocation: Invocation) throws(Failure) {
    let change: ChangeSettings? = if let name, let value { try name.change(to: value) } else { nil }
    let session = try invocation.openSession()
    if let change { let _: Done = try session.ask(change, invocation.promptOptions()) }
    let status = try session.status()
    let shown = name.map { [$0] } ?? Setting.allCases
    invocation.output.result(
      .object([
        "settings": .object(shown.map { JSONValue.Member(name: $0.key, value: $0.json(status)) })
      ]),
      shown.map { "\($0.rawValue): \($0.text(status))" })
  }
}

extension SettingsCommand.Setting {
  /// As `--json` names it.
  fileprivate var key: String { "\(self)" }

  fileprivate func json(_ status: CoreStatus) -> JSONValue {
    switch self {
    case .lockAfter: status.lockRule.json
    case .eraseAfter: .count(status.eraseAfter)
    }
  }

  fileprivate func text(_ status: CoreStatus) -> String {
    switch self {
    case .lockAfter: status.lockRule.text
    case .eraseAfter:
      status.eraseAfter == 0 ? "never" : "\(status.eraseAfter) wrong passcodes in a row"
    }
  }

  /// - Throws: `usage` for an invalid value.
  fileprivate func change(to value: String) throws(Failure) -> ChangeSettings {
    switch self {
    case .lockAfter:
      if value == "screen" { return ChangeSettings(lockRule: .screen) }
      let range = LockRule.minutesRange
      guard let minutes = UInt32(value), range.contains(minutes) else {
        throw .usage(
          "lock-after is \(range.lowerBound) to \(range.upperBound) minutes, or screen, "
            + "not \(value.printable)")
      }
      return ChangeSettings(lockRule: .minutes(minutes))
    case .eraseAfter:
      guard let number = UInt32(value), number == 0 || eraseAfterRange.contains(number) else {
        throw .usage(
          "erase-after is \(eraseAfterRange.lowerBound) to \(eraseAfterRange.upperBound), or 0 for "
            + "never, not \(value.printable)")
      }
      return ChangeSettings(eraseAfter: number)
    }
  }
}

extension LockRule {
  var json: JSONValue {
    switch self {
    case .minutes(let minutes): .count(minutes)
    case .screen: .string("screen")
    }
  }

  fileprivate var text: String {
    switch self {
    case .minutes(let minutes): "\(minutes) min"
    case .screen: "screen"
    }
  }
}
