import CoreClient
import Protocol

/// What the window shows, as the core says it at one moment.
struct Snapshot: Equatable, Sendable {
  let status: CoreStatus
  let fingers: [Finger]

  /// Asks for all of it.
  static func take(_ connection: CoreConnection) throws(Failure) -> Snapshot {
    let status: CoreStatus = try connection.request(GetStatus())
    let list: FingerList = try connection.ask(ListFingers())
    return Snapshot(status: status, fingers: list.fingers)
  }
}
