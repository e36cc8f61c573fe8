import CoreClient
import Protocol

extension Evaluated {
  /// By what and how fast, behind the members a command puts first.
  func json(_ first: KeyValuePairs<String, JSONValue>) -> JSONValue {
    var members = first.map { JSONValue.Member(name: $0, value: $1) }
    members.append(.init(name: "by", value: .string(evidence.name)))
    if let finger { members.append(.init(name: "finger", value: .string(finger))) }
    members.append(.init(name: "seconds", value: .rounded(seconds, decimals: 3)))
    return .object(members)
  }

  func sentence(_ paint: Paint) -> String {
    let who =
      switch evidence {
      case .biometry: "by \(finger?.printable ?? "a finger")"
      case .passcode: "by the passcode"
      case .nothing: "nothing had to be proved"
      }
    let time = Duration.seconds(seconds).text
    return paint("Authenticated", .good) + " \(who)" + paint("  \(time)", .faint)
  }
}

extension ProvedBy {
  /// As JSON shows it.
  var name: String { "\(self)" }
}
