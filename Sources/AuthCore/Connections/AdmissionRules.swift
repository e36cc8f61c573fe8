/// Who gets a place among the clients of a core, and who gives way. A value without sockets or clocks: times are nanoseconds since boot.
///
/// Places are for clients that want something. One that says no `Hello`, or lies idle, holds its place only until another needs it, so
/// nobody keeps others out by being connected.
struct AdmissionRules: Equatable, Sendable {
  /// What a connection does with its place.
  enum Standing: Equatable, Sendable {
    /// It has not said `Hello`; connected at that time.
    case silent(since: UInt64)
    /// Greeted, with no request under way or waiting since that time.
    case idle(since: UInt64)
    /// It has a request, which nobody interrupts for a newcomer.
    case busy
  }

  /// One connection.
  struct Place: Equatable, Sendable {
    let process: Int32
    let standing: Standing
  }

  /// What becomes of a newcomer.
  enum Decision: Equatable, Sendable {
    case admit
    /// When the place at this index is given up.
    case replace(Int)
    /// Every place is in use.
    case full
    /// Every place that one process may have is in use.
    case processIsFull
  }

  /// Places in all.
  var places = 64
  /// Places that one process may have.
  var placesOfProcess = 32
  /// Further places for processes that have none: so `quit` gets in while others keep every place busy.
  var reserve = 4
  /// How long a client may take to say `Hello`.
  var helloNanoseconds: UInt64 = 5_000_000_000

  /// Whether `process` may connect, too.
  func decide(_ process: Int32, among taken: [Place]) -> Decision {
    let own = taken.indices.filter { taken[$0].process == process }
    if own.count >= placesOfProcess {
      return quietest(own, taken).map { .replace($0) } ?? .processIsFull
    }
    guard taken.count >= places else { return .admit }
    if let victim = quietest(Array(taken.indices), taken) { return .replace(victim) }
    return own.isEmpty && taken.count < places + reserve ? .admit : .full
  }

  /// The silent one that came first; else of the process with most places the one that has been idle longest.
  private func quietest(_ candidates: [Int], _ taken: [Place]) -> Int? {
    let silent = candidates.compactMap { index -> (index: Int, since: UInt64)? in
      if case .silent(let since) = taken[index].standing { (index, since) } else { nil }
    }
    if let first = silent.min(by: { $0.since < $1.since }) { return first.index }
    var counts: [Int32: Int] = [:]
    for place in taken { counts[place.process, default: 0] += 1 }
    let idle = candidates.compactMap { index -> (index: Int, count: Int, since: UInt64)? in
      guard case .idle(let since) = taken[index].standing else { return nil }
      return (index, counts[taken[index].process, default: 0], since)
    }
    return idle.min { ($1.count, $0.since) < ($0.count, $1.since) }?.index
  }

  /// When a connection of this standing has been silent for too long; nil: it is not silent.
  func helloIsDue(_ standing: Standing) -> UInt64? {
    if case .silent(let since) = standing { since &+ helloNanoseconds } else { nil }
  }
}
