import LinuxSystem
import Protocol

/// The connections of one core. A value; ``Core`` guards it. What is asked with every newcomer takes
/// no look at all of them.
struct SeatedClients: Sendable {
  private var seated: [ObjectIdentifier: ClientConnection] = [:]
  /// Those that gave their place up and have not ended yet.
  private var leaving: [ObjectIdentifier: ClientConnection] = [:]
  /// Those that may have said no `Hello`.
  private var silent: [ObjectIdentifier: ClientConnection] = [:]
  private var ofProcess: [Int32: Int] = [:]

  /// How many have a place.
  var count: Int { seated.count }
  /// Whether nobody is connected.
  var isEmpty: Bool { seated.isEmpty && leaving.isEmpty }
  /// All of them.
  var all: [ClientConnection] { Array(seated.values) + Array(leaving.values) }

  /// What becomes of another connection of `process` at `now`.
  /// - Parameters:
  ///   - process: the newcomer's.
  ///   - rules: who gets a place.
  ///   - now: nanoseconds since boot.
  ///   - giveWay: has a connection give up its place; false: it does not.
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
      // One that has got a request meanwhile stays, and another one is looked for.
      guard giveWay(others[index]) else { continue }
      remove(others[index])
      leaving[ObjectIdentifier(others[index])] = others[index]
      return .admit
    }
  }

  /// Gives a connection a place.
  mutating func insert(_ connection: ClientConnection) {
    let name = ObjectIdentifier(connection)
    seated[name] = connection
    silent[name] = connection
    ofProcess[connection.link.peer.process, default: 0] += 1
  }

  /// A connection has ended.
  mutating func forget(_ connection: ClientConnection) {
    remove(connection)
    leaving[ObjectIdentifier(connection)] = nil
  }

  /// The connections that have said no `Hello`, and when each has to have.
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
    let process = connection.link.peer.process
    let left = ofProcess[process, default: 1] - 1
    ofProcess[process] = left > 0 ? left : nil
  }
}
