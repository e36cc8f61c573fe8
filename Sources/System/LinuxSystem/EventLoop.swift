import CSystemCalls
import Glibc
package import Protocol
import Synchronization

package struct SocketReadiness: OptionSet, Sendable {
  package let rawValue: Int32

  /// - Parameter rawValue: `AC_READABLE`, `AC_WRITABLE`.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Input, or the end.
  package static let readable = SocketReadiness(rawValue: AC_READABLE)
  /// Room for output, or no reader is left.
  package static let writable = SocketReadiness(rawValue: AC_WRITABLE)
}

/// One thread that waits for many sockets and times (epoll(7)), and calls their handlers. It wakes
/// for nothing else.
///
/// Handlers must not block: all others wait meanwhile. Any thread may change what is waited for,
/// also a handler.
package final class EventLoop: Sendable {
  /// Names a socket or a timer; never used twice.
  package struct Name: Hashable, Sendable { fileprivate let number: UInt64 }

  /// Called as long as the socket is ready.
  package typealias Handler = @Sendable (SocketReadiness) -> Void
  /// Called once.
  package typealias Task = @Sendable () -> Void

  fileprivate struct Timer: Sendable {
    let due: UInt64
    let task: Task
  }

  fileprivate struct State: Sendable {
    var last: UInt64 = 0
    var handlers: [Name: Handler] = [:]
    var timers: [Name: Timer] = [:]
    /// No timer is due before this moment of CLOCK_MONOTONIC. May be the time of a cancelled timer:
    /// finding the next one takes a look at all.
    var nextDue = UInt64.max
    var tasks: [Task] = []
    /// When the loop will wake by itself; 0: it is awake.
    var sleepsUntil: UInt64 = 0
    var isOver = false
  }

  private let state = Mutex(State())
  private let epoll: Descriptor
  /// Readable when the loop has to look at its state.
  private let woken: Pipe
  private let thread = Atomic<UInt>(0)

  /// - Throws: `coreFailed` if the process may open no more descriptors.
  package init() throws(Failure) {
    woken = try Pipe(nonBlocking: .both)
    let number = ac_make_epoll()
    guard number >= 0 else {
      throw Failure(
        .coreFailed, "Cannot wait for sockets: \(SystemCallError("epoll_create1").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    epoll = Descriptor(owning: number)
    guard ac_epoll_watch(number, woken.reader, 1, AC_READABLE, 0) == 0 else {
      throw Failure(
        .coreFailed, "Cannot wait for a pipe: \(SystemCallError("epoll_ctl").reason)")
    }
  }

  package func newName() -> Name {
    state.withLock { state in
      // 0 is the pipe.
      state.last += 1
      return Name(number: state.last)
    }
  }

  // MARK: Sockets

  /// Reports which of `wanted` the socket is ready for, and always the end of both directions. The
  /// socket must stay open until ``forget(_:as:)``.
  /// - Returns: false if the kernel cannot watch it.
  package func watch(
    _ socket: Int32, as name: Name, for wanted: SocketReadiness, _ handler: @escaping Handler
  ) -> Bool {
    state.withLock { state in
      let isNew = state.handlers.updateValue(handler, forKey: name) == nil
      let status = ac_epoll_watch(
        epoll.number, socket, isNew ? 1 : 0, wanted.rawValue, name.number)
      if status != 0 { state.handlers[name] = nil }
      return status == 0
    }
  }

  /// Stops reporting. A report may still be under way.
  package func forget(_ socket: Int32, as name: Name) {
    // Outside the lock, because the handler may hold last references.
    let handler = state.withLock { state -> Handler? in
      let handler = state.handlers.removeValue(forKey: name)
      if handler != nil { _ = ac_epoll_forget(epoll.number, socket) }
      return handler
    }
    withExtendedLifetime(handler) {}
  }

  // MARK: Times and tasks

  /// Calls `task` at this moment of CLOCK_MONOTONIC, instead of the timer's former task.
  package func set(_ timer: Name, at due: UInt64, _ task: @escaping Task) {
    let isTooLate = state.withLock { state in
      state.timers[timer] = Timer(due: due, task: task)
      state.nextDue = min(state.nextDue, due)
      return due < state.sleepsUntil
    }
    if isTooLate { wake() }
  }

  /// The same, unless the timer is set already.
  package func begin(_ timer: Name, at due: UInt64, _ task: @escaping Task) {
    guard state.withLock({ $0.timers[timer] == nil }) else { return }
    set(timer, at: due, task)
  }

  package func cancel(_ timer: Name) {
    let task = state.withLock { $0.timers.removeValue(forKey: timer) }
    withExtendedLifetime(task) {}
  }

  /// Calls `task` soon, after earlier ones.
  package func post(_ task: @escaping Task) {
    let isAsleep = state.withLock { state in
      state.tasks.append(task)
      return state.sleepsUntil > 0
    }
    if isAsleep { wake() }
  }

  /// Ends ``run()``. All sockets and timers are forgotten.
  package func end() {
    state.withLock { $0.isOver = true }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 1
    while unsafe write(woken.writer, &byte, 1) < 0, errno == EINTR {}
  }

  // MARK: The thread

  /// Whether the calling thread runs the loop.
  package var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Calls handlers and tasks until ``end()``.
  package func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var names = [UInt64](repeating: 0, count: Self.most)
    var ready = [Int32](repeating: 0, count: Self.most)
    var idle = IdleMemory()
    while let due = callTasks() {
      let count = Int(
        unsafe ac_epoll_wait(
          epoll.number, &names, &ready, Int32(Self.most),
          idle.limit(Self.milliseconds(until: due))))
      state.withLock { $0.sleepsUntil = 0 }
      // Only sockets count as use: not timers, nor tasks of other threads.
      if names.prefix(max(0, count)).contains(where: { $0 != 0 }) {
        idle.wasUsed()
      } else {
        idle.timePassed()
      }
      for index in 0..<max(0, count) {
        if names[index] == 0 {
          drain()
        } else {
          // A forgotten handler is gone.
          let name = Name(number: names[index])
          let handler = state.withLock { $0.handlers[name] }
          handler?(SocketReadiness(rawValue: ready[index]))
        }
      }
    }
    forgetAll()
  }

  private func forgetAll() {
    // Outside the lock, because they may hold last references.
    let rest = state.withLock { state in
      let rest = (state.handlers, state.timers, state.tasks)
      (state.handlers, state.timers, state.tasks) = ([:], [:], [])
      return rest
    }
    withExtendedLifetime(rest) {}
  }

  /// Sockets handled before timers are checked again.
  private static let most = 64

  /// Calls posted and due tasks until there are none.
  /// - Returns: when the next is due; nil: the loop has ended.
  private func callTasks() -> UInt64? {
    while true {
      let now = Deadline.now
      let (due, tasks, isOver) = state.withLock { state -> (UInt64, [Task], Bool) in
        if state.isOver { return (0, [], true) }
        var tasks = state.tasks
        state.tasks = []
        if state.nextDue <= now { tasks += state.takeDue(at: now) }
        if tasks.isEmpty { state.sleepsUntil = state.nextDue }
        return (state.nextDue, tasks, false)
      }
      if isOver { return nil }
      if tasks.isEmpty { return due }
      for task in tasks { task() }
    }
  }

  private func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = unsafe read(woken.reader, &bytes, MemoryLayout.size(ofValue: bytes))
  }

  /// Rounded up, so that the timer is due then.
  private static func milliseconds(until due: UInt64) -> Int32 {
    guard due < .max else { return -1 }
    let now = Deadline.now
    return Int32(clamping: (due - min(now, due) + 999_999) / 1_000_000)
  }
}

extension EventLoop.State {
  fileprivate mutating func takeDue(at now: UInt64) -> [EventLoop.Task] {
    let due = timers.filter { $0.value.due <= now }
    for (name, _) in due { timers[name] = nil }
    nextDue = timers.values.map(\.due).min() ?? .max
    return due.values.sorted { $0.due < $1.due }.map(\.task)
  }
}
