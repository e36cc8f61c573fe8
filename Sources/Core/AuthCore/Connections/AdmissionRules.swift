/// Who gets a place among the clients of a core, and who gives way. A value without sockets or
/// clocks: times are nanoseconds since boot.
///
/// Places are for clients that want something. One that says no `Hello`, or lies idle, holds its
/// place only until another needs it, so nobody keeps others out by being connected. A program with
/// few connections that was heard of a moment ago is in the middle of something and keeps its
/// place.
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
  var places = 2048
  /// Places that one process may have.
  var placesOfProcess = 1024
  /// Further places for processes that have none: so `quit` gets in while others keep every place
  /// busy.
  var reserve = 64
  /// Places up to which a process keeps one that it used a moment ago.
  var modestPlaces = 4
  /// How long that moment is.
  var momentNanoseconds: UInt64 = 1_000_000_000
  /// How long a client may take to say `Hello`.
  var helloNanoseconds: UInt64 = 5_000_000_000

  /// Whether `process` may connect at `now`, too.
  func decide(_ process: Int32, among taken: [Place], at now: UInt64) -> Decision {
    let own = taken.indices.filter { taken[$0].process == process }
    if own.count >= placesOfProcess {
      return quietest(own, taken, now).map { .replace($0) } ?? .processIsFull
    }
    guard taken.count >= places else { return .admit }
    if let victim = quietest(Array(taken.indices), taken, now) { return .replace(victim) }
    return own.isEmpty && taken.count < places + reserve ? .admit : .full
  }

  /// The silent one that came first; else of the process with most places the one that has been
  /// idle longest.
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

  /// When a connection of this standing has been silent for too long; nil: it is not silent.
  func helloIsDue(_ standing: Standing) -> UInt64? {
    if case .silent(let since) = standing { since &+ helloNanoseconds } else { nil }
  }
}
