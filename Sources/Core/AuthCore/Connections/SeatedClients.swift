import LinuxSystem
import Protocol

/// The connections of one core. A value, guarded by ``Core``. Admitting a newcomer does not look at
/// all of them.
struct SeatedClients: Sendable {
  private var seated: [ObjectIdentifier: ClientConnection] = [:]
  /// Those that gave up their place and have not ended yet.
  private var leaving: [ObjectIdentifier: ClientConnection] = [:]
  /// Holds every connection without a `Hello`, and may hold others.
  private var silent: [ObjectIdentifier: ClientConnection] = [:]
  private var ofProcess: [Int32: Int] = [:]

  var count: Int { seated.count }
  var isEmpty: Bool { seated.isEmpty && leaving.isEmpty }
  var all: [ClientConnection] { Array(seated.values) + Array(leaving.values) }

  /// Decides about another connection of `process`.
  /// - Parameters:
  ///   - process: the newcomer's.
  ///   - rules: who gets a place.
  ///   - now: nanoseconds since boot.
  ///   - giveWay: has a connection give up its place; returns false if it does not.
  /// - Returns: whether it is admitted, and if not, why.
  mutating func decide(
    _ process: Int32, by rules: AdmissionRules, at now: UInt64,
    giveWay: (ClientConnection) -> Bool
  ) -> AdmissionRules.Decision {
    while true {
      if count < rules.places, ofProcess[process, default: 0] < rules.placesOfProcess {
        return .admit
      }
      let others = Array(seated.values)
      let decision = rules.decide(process, among: others.map(\.place), at: now)
      guard case .replace(let index) = decision else { return decision }
      // A connection that got a request meanwhile stays.
      guard giveWay(others[index]) else { continue }
      remove(others[index])
      leaving[ObjectIdentifier(others[index])] = others[index]
      return .admit
    }
  }

  mutating func insert(_ connection: ClientConnection) {
    let name = ObjectIdentifier(connection)
    seated[name] = connection
    silent[name] = connection
    ofProcess.count(connection.link.peer.process, by: 1)
  }

  mutating func forget(_ connection: ClientConnection) {
    remove(connection)
    leaving[ObjectIdentifier(connection)] = nil
  }

  /// The connections that have said no `Hello`, and when each must have said it.
  mutating func awaited(by rules: AdmissionRules) -> [(connection: ClientConnection, due: UInt64)] {
    var awaited: [(ClientConnection, UInt64)] = []
    for (name, connection) in silent {
      if let due = rules.helloIsDue(connection.place.standing) {
        awaited.append((connection, due))
      } else {
        silent[name] = nil
      }
    }
    return awaited
  }

  private mutating func remove(_ connection: ClientConnection) {
    let name = ObjectIdentifier(connection)
    silent[name] = nil
    guard seated.removeValue(forKey: name) != nil else { return }
    ofProcess.count(connection.link.peer.process, by: -1)
  }
}
