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

/// Decides who gets a place among the clients of a core, and who gives way. A value without sockets
/// or clocks: times are nanoseconds since boot.
///
/// Places are for clients that want something. A client that says no `Hello`, or is idle, keeps its
/// place only until another needs it, so staying connected keeps no one out. A program with few
/// connections that was active a moment ago is probably in the middle of something and keeps its
/// place.
struct AdmissionRules: Equatable, Sendable {
  enum Standing: Equatable, Sendable {
    /// No `Hello` yet; connected at that time.
    case silent(since: UInt64)
    /// Greeted; no request since that time.
    case idle(since: UInt64)
    /// Has a request, which is never interrupted for a newcomer.
    case busy
  }

  struct Place: Equatable, Sendable {
    let process: Int32
    let standing: Standing
  }

  enum Decision: Equatable, Sendable {
    case admit
    /// Admit, if the connection at this index gives up its place.
    case replace(Int)
    /// Every place is in use.
    case full
    /// Every place that the process may have is in use.
    case processIsFull
  }

  var places = 2048
  var placesOfProcess = 1024
  /// More places, for processes that have none, so that `quit` gets in while others keep every
  /// place busy.
  var reserve = 64
  /// A process with at most so many places keeps one that it used a moment ago.
  var modestPlaces = 4
  var momentNanoseconds: UInt64 = 1_000_000_000
  var helloNanoseconds: UInt64 = 5_000_000_000

  func decide(_ process: Int32, among taken: [Place], at now: UInt64) -> Decision {
    let own = taken.indices.filter { taken[$0].process == process }
    if own.count >= placesOfProcess {
      return quietest(own, taken, now).map { .replace($0) } ?? .processIsFull
    }
    guard taken.count >= places else { return .admit }
    if let victim = quietest(Array(taken.indices), taken, now) { return .replace(victim) }
    return own.isEmpty && taken.count < places + reserve ? .admit : .full
  }

  /// The first that came of those that are silent, else the longest idle one of the process with
  /// the most places.
  private func quietest(_ candidates: [Int], _ taken: [Place], _ now: UInt64) -> Int? {
    var counts: [Int32: Int] = [:]
    for place in taken { counts[place.process, default: 0] += 1 }
    let quiet = candidates.compactMap { index -> (index: Int, rank: (Int, Int, UInt64))? in
      let count = counts[taken[index].process, default: 0]
      let rank: (Int, Int, UInt64)
      switch taken[index].standing {
      case .silent(let since): rank = (0, 0, since)
      case .idle(let since): rank = (1, -count, since)
      case .busy: return nil
      }
      let isModest = count <= modestPlaces && now < rank.2 &+ momentNanoseconds
      return isModest ? nil : (index, rank)
    }
    return quiet.min { $0.rank < $1.rank }?.index
  }

  /// When a silent connection has been silent for too long; nil if it is not silent.
  func helloIsDue(_ standing: Standing) -> UInt64? {
    if case .silent(let since) = standing { since &+ helloNanoseconds } else { nil }
  }
}
