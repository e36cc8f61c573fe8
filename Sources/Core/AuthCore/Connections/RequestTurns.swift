import LinuxSystem
import Protocol
import Synchronization

/// Runs requests on a few threads, in the order that ``TurnOrder`` gives. Any thread.
///
/// Threads are started when needed. A few stay for the next request, for a while; the others end.
final class RequestTurns: Sendable {
  final class Turn: Sendable {
    private let number: UInt64
    private let turns: RequestTurns

    fileprivate init(_ number: UInt64, _ turns: RequestTurns) {
      self.number = number
      self.turns = turns
    }

    /// Gives up the request's place before it waits for a person, so that others run. May be
    /// repeated.
    /// - Throws: `busy` if too many wait already.
    func attend() throws(Failure) { try turns.attend(number) }

    /// The same for a kind of request that is bounded elsewhere.
    func leave() { turns.leave(number) }
  }

  typealias Body = @Sendable (Turn) -> Void

  private struct Job: Sendable {
    let number: UInt64
    let body: Body
  }

  private struct State: Sendable {
    var order: TurnOrder
    var last: UInt64 = 0
    var bodies: [UInt64: Body] = [:]
    var idle: [TurnThread<Job>] = []
    /// When the loop next looks for requests that take long; nil if it does not.
    var looksAt: UInt64?
    var isOver = false

    mutating func takeStarting() -> [Job] {
      var jobs: [Job] = []
      while let number = order.next(at: Deadline.now) {
        guard let body = bodies.removeValue(forKey: number) else { continue }
        jobs.append(Job(number: number, body: body))
      }
      return jobs
    }
  }

  private let state: Mutex<State>
  private let limits: TurnOrder.Limits
  private let loop: EventLoop
  private let timer: EventLoop.Name

  private static let mostIdle = 4
  /// How long a thread stays idle.
  private static let idleMilliseconds: Int32 = 10_000

  /// - Parameters:
  ///   - limits: how much runs at a time.
  ///   - loop: calls when a request has taken long.
  init(_ limits: TurnOrder.Limits, loop: EventLoop) {
    state = Mutex(State(order: TurnOrder(limits)))
    self.limits = limits
    self.loop = loop
    timer = loop.newName()
  }

  /// Calls `body` at its turn, on a thread that it may block.
  func add(_ owner: TurnOrder.Owner, _ body: @escaping Body) {
    let jobs = state.withLock { state in
      state.last += 1
      state.bodies[state.last] = body
      state.order.add(state.last, of: owner)
      return state.takeStarting()
    }
    start(jobs)
    watchPlaces()
  }

  /// Ends idle threads at once, and the others when they have finished.
  func end() {
    loop.cancel(timer)
    let idle = state.withLock { state in
      state.isOver = true
      let idle = state.idle
      state.idle = []
      return idle
    }
    for thread in idle { thread.end() }
  }

  // MARK: Places

  private func attend(_ number: UInt64) throws(Failure) {
    let (attendance, jobs) = state.withLock { state in
      let attendance = state.order.attend(number, at: Deadline.now)
      return (attendance, state.takeStarting())
    }
    start(jobs)
    let who: String
    switch attendance {
    case .granted: return
    case .tooManyOfProcess:
      who = "\(limits.attendingOfProcess) requests of this program wait for a person"
    case .tooManyOfUser: who = "\(limits.attendingOfUser) requests of this user wait for a person"
    case .tooMany: who = "\(limits.attending) requests wait for a person"
    }
    throw Failure(.busy, who, hint: "answer or cancel those first")
  }

  private func leave(_ number: UInt64) {
    start(
      state.withLock { state in
        state.order.leave(number, at: Deadline.now)
        return state.takeStarting()
      })
  }

  /// Makes the loop look for requests that take long while others wait.
  private func watchPlaces() {
    let due = state.withLock { state -> UInt64? in
      guard !state.isOver, let due = state.order.isTiredAt, due < state.looksAt ?? .max else {
        return nil
      }
      state.looksAt = due
      return due
    }
    guard let due else { return }
    loop.set(timer, at: due) { [weak self] in self?.tire() }
  }

  private func tire() {
    start(
      state.withLock { state in
        state.looksAt = nil
        state.order.tire(at: Deadline.now)
        return state.takeStarting()
      })
    watchPlaces()
  }

  // MARK: Threads

  private func start(_ jobs: [Job]) {
    for job in jobs {
      if let thread = state.withLock({ $0.idle.popLast() }) {
        thread.give(job)
      } else {
        let thread = TurnThread(job)
        SystemThread.start(name: "client-work") { [self] in
          while let number = perform(thread), goesOn(thread, after: number) {}
        }
      }
    }
  }

  /// Does the next job, and releases it before the thread waits.
  /// - Returns: its number; nil if the thread is to end.
  private func perform(_ thread: TurnThread<Job>) -> UInt64? {
    guard let job = nextJob(of: thread) else { return nil }
    job.body(Turn(job.number, self))
    return job.number
  }

  private func nextJob(of thread: TurnThread<Job>) -> Job? {
    while true {
      switch thread.next(milliseconds: Self.idleMilliseconds) {
      case .job(let job): return job
      case .end: return nil
      case nil:
        // One that is no longer among the idle ones was just chosen for a job.
        let isIdle = state.withLock { state in
          state.idle.firstIndex { $0 === thread }.map { state.idle.remove(at: $0) } != nil
        }
        if isIdle { return nil }
      }
    }
  }

  /// Finds out what comes after a request.
  /// - Returns: whether the thread is still needed.
  private func goesOn(_ thread: TurnThread<Job>, after number: UInt64) -> Bool {
    let (jobs, isNeeded) = state.withLock { state -> ([Job], Bool) in
      state.order.end(number, at: Deadline.now)
      let jobs = state.takeStarting()
      if !jobs.isEmpty { return (jobs, true) }
      guard !state.isOver, thread.canWait, state.idle.count < Self.mostIdle else {
        return ([], false)
      }
      state.idle.append(thread)
      return ([], true)
    }
    if let first = jobs.first {
      thread.keep(first)
      start(Array(jobs.dropFirst()))
    }
    return isNeeded
  }
}

/// Gives a thread its next job.
final class TurnThread<Job: Sendable>: Sendable {
  enum Word: Sendable {
    case job(Job)
    case end
  }

  private let word: Guarded<Word?>
  /// nil if the process has no descriptors left.
  private let given: WakePipe?

  init(_ first: Job) {
    word = Guarded(.job(first))
    given = try? WakePipe()
  }

  /// Whether the thread can wait for more jobs; one that cannot ends.
  var canWait: Bool { given != nil }

  /// Gives an idle thread a job.
  func give(_ job: Job) {
    word.update { $0 = .job(job) }
    given?.wake()
  }

  /// The same, from the thread itself.
  func keep(_ job: Job) { word.update { $0 = .job(job) } }

  func end() {
    word.update { $0 = .end }
    given?.wake()
  }

  /// Waits for the next job, or for the end; nil if neither comes in time.
  func next(milliseconds: Int32) -> Word? {
    guard let given else { return word.update { $0.take() } }
    return given.wait(until: Deadline(milliseconds: milliseconds), on: word) { $0.take() }
  }
}
