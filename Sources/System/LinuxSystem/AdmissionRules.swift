/// Decides who gets a place among the clients of a core or an agent, and who gives way. A value
/// without sockets or clocks: times are nanoseconds.
///
/// Places are for clients that want something. A client that says no `Hello`, or is idle, keeps its
/// place only until another needs it, so staying connected keeps no one out. A program with few
/// connections that was active a moment ago is probably in the middle of something and keeps its
/// place.
package struct AdmissionRules: Equatable, Sendable {
  package enum Standing: Equatable, Sendable {
    /// No `Hello` yet; connected at that time.
    case silent(since: UInt64)
    /// Greeted; no request since that time.
    case idle(since: UInt64)
    /// Has a request, which is never interrupted for a newcomer.
    case busy
  }

  package struct Place: Equatable, Sendable {
    package let process: Int32
    package let standing: Standing

    package init(process: Int32, standing: Standing) {
      (self.process, self.standing) = (process, standing)
    }
  }

  package enum Decision: Equatable, Sendable {
    case admit
    /// Admit, if the connection at this index gives up its place.
    case replace(Int)
    /// Every place is in use.
    case full
    /// Every place that the process may have is in use.
    case processIsFull
  }

  package var places = 2048
  package var placesOfProcess = 1024
  /// More places, for processes that have none, so that `quit` gets in while others keep every
  /// place busy.
  package var reserve = 64
  /// A process with at most so many places keeps one that it used a moment ago.
  package var modestPlaces = 4
  package var momentNanoseconds: UInt64 = 1_000_000_000
  package var helloNanoseconds: UInt64 = 5_000_000_000

  package init() {}

  package func decide(_ process: Int32, among taken: [Place], at now: UInt64) -> Decision {
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
  package func helloIsDue(_ standing: Standing) -> UInt64? {
    if case .silent(let since) = standing { since &+ helloNanoseconds } else { nil }
  }
}
