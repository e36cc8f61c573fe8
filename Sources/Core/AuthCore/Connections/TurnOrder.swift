import Glibc

/// Whose request runs next. A value without threads or clocks: times are nanoseconds.
///
/// As many requests run at a time as there are processors, so that this order decides who is served
/// and not the kernel's. The user with the fewest running is next, then the process, and among equals
/// the one that has waited longest since its last turn: asking more often brings nothing. A request
/// that waits for a person, or that takes long, gives its place to others and is counted apart; what
/// is counted there is bounded, too. If no request has ended for a moment, one more user gets a place.
struct TurnOrder: Sendable {
  /// Whom a turn is counted for.
  struct Owner: Hashable, Sendable {
    let user: UInt32
    let process: Int32
  }

  /// How many turns there are.
  struct Limits: Equatable, Sendable {
    /// Requests that run at a time.
    var places = min(16, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// How long none of them may begin or end before a user that has none running gets a place beside
    /// them: users that fill the places keep no other waiting for longer.
    var stallNanoseconds: UInt64 = 10_000_000
    /// Those of one user.
    var placesOfUser = 4
    /// How long a request keeps its place.
    var patienceNanoseconds: UInt64 = 250_000_000
    /// Requests that have given up their place, each with a thread.
    var attending = 2048
    /// Those of one user.
    var attendingOfUser = 128
    /// Those of one process.
    var attendingOfProcess = 64
    /// Of all these, for users that have few.
    var reserve = 1024
    /// How many are few.
    var few = 8
  }

  /// What comes of the wish to give up a place.
  enum Attendance: Equatable, Sendable {
    case granted
    /// The process, its user, or all together have too many.
    case tooManyOfProcess
    case tooManyOfUser
    case tooMany
  }

  fileprivate struct Counts: Sendable {
    var running = 0
    var attending = 0
    /// The number of its last turn.
    var last: UInt64 = 0
    /// What it asked for first.
    var first: UInt64 = 0
  }

  /// What one process waits for, in the order it came.
  private struct Line: Sendable {
    var counts = Counts()
    var waiting: [UInt64] = []

    var isIdle: Bool { waiting.isEmpty && counts.running == 0 && counts.attending == 0 }
  }

  private struct Lines: Sendable {
    var counts = Counts()
    var waiting = 0
    var ofProcess: [Int32: Line] = [:]
  }

  private struct Running: Sendable {
    let owner: Owner
    /// Since when it has its place.
    var since: UInt64
  }

  private let limits: Limits
  private var users: [UInt32: Lines] = [:]
  private var running: [UInt64: Running] = [:]
  private var attending: [UInt64: Owner] = [:]
  private var turns: UInt64 = 0
  /// When a request last got or gave up a place.
  private var moved: UInt64 = 0

  /// Nobody waits.
  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// How many wait for their turn.
  var waiting: Int { users.values.reduce(0) { $0 + $1.waiting } }

  /// Lets a request wait for its turn.
  /// - Parameters:
  ///   - request: its number, larger than any before it.
  ///   - owner: whom it is counted for.
  mutating func add(_ request: UInt64, of owner: Owner) {
    change(owner) { (lines: inout Lines, line: inout Line) in
      lines.waiting += 1
      line.waiting.append(request)
      if lines.counts.first == 0 { lines.counts.first = request }
      if line.counts.first == 0 { line.counts.first = request }
    }
  }

  /// The request whose turn it is, which runs from `now` on; nil where none waits or no place is
  /// free.
  mutating func next(at now: UInt64) -> UInt64? {
    guard let owner = nextOwner,
      running.count < limits.places || !isRunning(owner.user) && now >= stalls
    else { return nil }
    turns += 1
    moved = now
    let turn = turns
    let request = change(owner) { (lines: inout Lines, line: inout Line) in
      lines.waiting -= 1
      lines.counts.begin(turn)
      line.counts.begin(turn)
      return line.waiting.removeFirst()
    }
    running[request] = Running(owner: owner, since: now)
    return request
  }

  /// When the places count as held up.
  private var stalls: UInt64 { moved &+ limits.stallNanoseconds }

  private func isRunning(_ user: UInt32) -> Bool {
    users[user].map { $0.counts.running > 0 } ?? false
  }

  private var nextOwner: Owner? {
    var nextUser: (user: UInt32, counts: Counts)?
    for (user, lines) in users
    where lines.waiting > 0 && lines.counts.running < limits.placesOfUser {
      if let next = nextUser, !lines.counts.precedes(next.counts) { continue }
      nextUser = (user, lines.counts)
    }
    guard let user = nextUser?.user, let lines = users[user] else { return nil }
    var nextProcess: (process: Int32, counts: Counts)?
    for (process, line) in lines.ofProcess where !line.waiting.isEmpty {
      if let next = nextProcess, !line.counts.precedes(next.counts) { continue }
      nextProcess = (process, line.counts)
    }
    return nextProcess.map { Owner(user: user, process: $0.process) }
  }

  /// A request has ended.
  mutating func end(_ request: UInt64, at now: UInt64) {
    if let ended = running.removeValue(forKey: request) {
      moved = now
      count(ended.owner) { $0.running -= 1 }
    } else if let owner = attending.removeValue(forKey: request) {
      count(owner) { $0.attending -= 1 }
    }
  }

  /// A request gives up its place because it is about to wait for a person. One that has done so
  /// may again.
  mutating func attend(_ request: UInt64, at now: UInt64) -> Attendance {
    guard let owner = running[request]?.owner else { return .granted }
    let lines = users[owner.user] ?? Lines()
    let line = lines.ofProcess[owner.process] ?? Line()
    if line.counts.attending >= limits.attendingOfProcess { return .tooManyOfProcess }
    if lines.counts.attending >= limits.attendingOfUser { return .tooManyOfUser }
    let reserve = lines.counts.attending < limits.few ? 0 : limits.reserve
    if attending.count >= limits.attending - reserve { return .tooMany }
    running[request] = nil
    attending[request] = owner
    moved = now
    count(owner) { counts in
      counts.running -= 1
      counts.attending += 1
    }
    return .granted
  }

  /// A request gives up its place and is not counted: something else bounds how many of its kind
  /// there are.
  mutating func leave(_ request: UInt64, at now: UInt64) { end(request, at: now) }

  /// Takes the places of requests that have had them for too long, as far as there is room beside.
  mutating func tire(at now: UInt64) {
    for (request, turn) in running where now >= turn.since &+ limits.patienceNanoseconds {
      if attend(request, at: now) != .granted { running[request]?.since = now }
    }
  }

  /// When ``tire(at:)`` or ``next(at:)`` has something to do though no request has ended; nil: as long
  /// as nobody waits, nothing.
  var isTiredAt: UInt64? {
    let waiting = users.values.filter { $0.waiting > 0 }
    guard !waiting.isEmpty, let since = running.values.map(\.since).min() else { return nil }
    let tired = since &+ limits.patienceNanoseconds
    return waiting.contains { $0.counts.running == 0 } ? min(tired, stalls) : tired
  }

  // MARK: Counting

  private mutating func count(_ owner: Owner, _ body: (inout Counts) -> Void) {
    change(owner) { (lines: inout Lines, line: inout Line) in
      body(&lines.counts)
      body(&line.counts)
    }
  }

  /// Who has nothing left is forgotten.
  private mutating func change<R>(
    _ owner: Owner, _ body: (inout Lines, inout Line) -> R
  ) -> R {
    var lines = users.removeValue(forKey: owner.user) ?? Lines()
    var line = lines.ofProcess.removeValue(forKey: owner.process) ?? Line()
    let result = body(&lines, &line)
    if !line.isIdle { lines.ofProcess[owner.process] = line }
    if !lines.ofProcess.isEmpty { users[owner.user] = lines }
    return result
  }
}

extension TurnOrder.Counts {
  fileprivate mutating func begin(_ turn: UInt64) {
    running += 1
    last = turn
  }

  fileprivate func precedes(_ other: TurnOrder.Counts) -> Bool {
    (running, last, first) < (other.running, other.last, other.first)
  }
}
