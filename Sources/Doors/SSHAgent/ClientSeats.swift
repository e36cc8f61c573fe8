import Glibc
import LinuxSystem
import Synchronization

/// The places of the agent's clients. When all are taken, the connection that is idle longest, of
/// the process with the most, gives way to a newcomer; one whose request is under way never does.
/// Any thread.
final class ClientSeats: Sendable {
  private enum Work: Sendable {
    case waits(since: UInt64)
    case request
    /// The client may never read it, so this keeps no place.
    case answer(since: UInt64)
  }

  private struct Taken: Sendable {
    let process: Int32
    let socket: Int32
    var work: Work

    var standing: AdmissionRules.Standing {
      switch work {
      case .request: return .busy
      case .answer(let since): return .idle(since: since)
      case .waits(let since):
        var unread: Int32 = 0
        // A request that has arrived is under way.
        let isIdle = unsafe ioctl(socket, UInt(FIONREAD), &unread) == 0 && unread == 0
        return isIdle ? .idle(since: since) : .busy
      }
    }
  }

  private struct State: Sendable {
    var last: UInt64 = 0
    var taken: [UInt64: Taken] = [:]
  }

  /// One client's place, given back with the last reference at the latest.
  final class Seat: Sendable {
    private let number: UInt64
    private let seats: ClientSeats

    fileprivate init(_ number: UInt64, _ seats: ClientSeats) {
      (self.number, self.seats) = (number, seats)
    }

    /// The client wants nothing for the moment.
    func wait() { _ = seats.note(.waits(since: seats.now()), at: number) }

    /// The client has sent something.
    /// - Returns: false if it gave way.
    func begin() -> Bool { seats.note(.request, at: number) }

    /// The client is about to get its answer.
    func answer() { _ = seats.note(.answer(since: seats.now()), at: number) }

    /// Gives the place back, while the socket is open.
    func leave() { seats.state.withLock { $0.taken[number] = nil } }

    deinit { leave() }
  }

  private let rules: AdmissionRules
  private let now: @Sendable () -> UInt64
  private let state = Mutex(State())

  /// - Parameter now: nanoseconds.
  init(now: @escaping @Sendable () -> UInt64 = { Deadline.now }) {
    var rules = AdmissionRules()
    (rules.places, rules.placesOfProcess) = (512, 64)
    self.rules = rules
    self.now = now
  }

  /// Finds a place for a client.
  /// - Parameters:
  ///   - socket: its connection, which stays open as long as the seat. Whoever gives way finds its
  ///     own at its end.
  ///   - process: the client's.
  /// - Returns: nil if all places are in use. An agent that hangs would hang ssh without a word.
  func take(_ socket: Int32, of process: Int32) -> Seat? {
    state.withLock { state in
      let others = Array(state.taken)
      let places = others.map {
        AdmissionRules.Place(process: $0.value.process, standing: $0.value.standing)
      }
      switch rules.decide(process, among: places, at: now()) {
      case .admit: break
      case .replace(let index):
        shutdown(others[index].value.socket, Int32(SHUT_RDWR))
        state.taken[others[index].key] = nil
      case .full, .processIsFull: return nil
      }
      state.last += 1
      state.taken[state.last] = Taken(
        process: process, socket: socket, work: .waits(since: now()))
      return Seat(state.last, self)
    }
  }

  /// - Returns: whether the client still has its place.
  private func note(_ work: Work, at number: UInt64) -> Bool {
    state.withLock { state in
      state.taken[number]?.work = work
      return state.taken[number] != nil
    }
  }
}
