import LinuxSystem

/// Why something on the bus did not work.
package enum BusError: Error, Equatable {
  /// There is no libsystemd, which speaks to buses here.
  case noLibrary
  /// A function of sd-bus failed with this `errno`.
  case failed(call: StaticString, errno: Int32)
  /// The peer answered with an error of this name.
  case refused(name: String)
  /// The answer is of another form than it should be.
  case unreadable

  package static func == (one: BusError, other: BusError) -> Bool { one.reason == other.reason }

  /// A sentence without a full stop.
  package var reason: String {
    switch self {
    case .noLibrary: "there is no libsystemd"
    case .failed(let call, let number): "\(call): \(SystemCallError.text(of: number))"
    case .refused(let name): "it answers: \(name)"
    case .unreadable: "it answers something that is not understood"
    }
  }

  /// Whether nobody is there who could answer.
  package var isAbsence: Bool {
    switch self {
    case .refused(let name):
      [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      ].contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    default: false
    }
  }
}
