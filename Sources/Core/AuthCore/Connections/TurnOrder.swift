import Glibc

/// Decides whose request runs next. A value without threads or clocks: times are nanoseconds.
///
/// As many requests run at a time as there are processors, so that this order decides, and not the
/// kernel's. The user with the fewest running requests is next, then the process; among equals the
/// one that has waited longest since its last turn, so that asking more often gains nothing. A
/// request that waits for a person, or takes long, gives up its place and is counted apart, within
/// bounds. If no request has ended for a moment, one more user gets a place.
struct TurnOrder: Sendable {
  struct Owner: Hashable, Sendable {
    let user: UInt32
    let process: Int32
  }

  struct Limits: Equatable, Sendable {
    var places = min(16, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// If no request begins or ends for this long, a user without a running request gets an extra
    /// place, so that users who fill the places delay others no longer than this.
    var stallNanoseconds: UInt64 = 10_000_000
    /// Of one user.
    var placesOfUser = 4
    var placeNanoseconds: UInt64 = 250_000_000
    var attending = 2048
    /// Of one user.
    var attendingOfUser = 128
    /// Of one process.
    var attendingOfProcess = 64
    /// Of all these, reserved for users that have few.
    var reserve = 1024
    /// A user with fewer than this has few.
    var few = 8
  }

  enum Attendance: Equatable, Sendable {
    case granted
    case tooManyOfProcess
    case tooManyOfUser
    case tooMany
  }

  fileprivate struct Counts: Sendable {
    var running = 0
    var attending = 0
    var last: UInt64 = 0
    /// The first request it made.
    var first: UInt64 = 0
  }

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
    var since: UInt64
  }

  private let limits: Limits
  private var users: [UInt32: Lines] = [:]
  private var running: [UInt64: Running] = [:]
  private var attending: [UInt64: Owner] = [:]
  private var turns: UInt64 = 0
  private var moved: UInt64 = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

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

  /// Starts the request whose turn it is; nil if none waits or no place is free.
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

  /// When an extra place is given.
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

  mutating func end(_ request: UInt64, at now: UInt64) {
    if let ended = running.removeValue(forKey: request) {
      moved = now
      count(ended.owner) { $0.running -= 1 }
    } else if let owner = attending.removeValue(forKey: request) {
      count(owner) { $0.attending -= 1 }
    }
  }

  /// A request gives up its place because it is about to wait for a person. May be repeated.
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

  /// A request gives up its place and is not counted, because its kind is bounded elsewhere.
  mutating func leave(_ request: UInt64, at now: UInt64) { end(request, at: now) }

  /// Takes the places of requests that have had them for too long, as far as the bounds allow.
  mutating func tire(at now: UInt64) {
    for (request, turn) in running where now >= turn.since &+ limits.placeNanoseconds {
      if attend(request, at: now) != .granted { running[request]?.since = now }
    }
  }

  /// When ``tire(at:)`` or ``next(at:)`` has something to do even if no request ends; nil if no one
  /// waits.
  var isTiredAt: UInt64? {
    let waiting = users.values.filter { $0.waiting > 0 }
    guard !waiting.isEmpty, let since = running.values.map(\.since).min() else { return nil }
    let tired = since &+ limits.placeNanoseconds
    return waiting.contains { $0.counts.running == 0 } ? min(tired, stalls) : tired
  }

  // MARK: Counting

  private mutating func count(_ owner: Owner, _ body: (inout Counts) -> Void) {
    change(owner) { (lines: inout Lines, line: inout Line) in
      body(&lines.counts)
      body(&line.counts)
    }
  }

  /// Changes the counts of an owner, and forgets an owner without any.
  private mutating func change<R>(_ owner: Owner, _ body: (inout Lines, inout Line) -> R) -> R {
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
