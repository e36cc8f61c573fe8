import LinuxSystem
import PluginHosting
import Protocol

/// One running enclave: requests in, replies out, and the events of touches to those who wait for
/// them.
///
/// Any thread may call; calls take turns. Once its process has ended every call fails, and every
/// watcher is told.
final class EnclaveClient: Sendable {
  private struct State: Sendable {
    var isTaken = false
    /// Requests whose callers have left. Their replies come first, and are dropped.
    var unanswered = 0
    var end: Failure?
    var listeners: [UInt64: RequestInbox] = [:]
    var watchers: [ObjectIdentifier: RequestInbox] = [:]
    var lockNotice: LockNotice?
  }

  let host: any PluginProcess
  private let limits: CoreLimits
  private let state = Guarded(State())

  /// Talks to the enclave in `host`. From now on this object receives all of the host's messages; a
  /// thread of its own reads those that answer no call.
  init(_ host: any PluginProcess, limits: CoreLimits) {
    self.host = host
    self.limits = limits
    SystemThread.start(name: "enclave-events") { [self] in read() }
  }

  var isRunning: Bool { state.read { $0.end == nil } }

  /// The last lock notice of the enclave; nil before its first reply.
  var lockNotice: LockNotice? { state.read { $0.lockNotice } }

  // MARK: Calls

  /// How often a caller checks whether it is interrupted, in milliseconds.
  private static let glance: Int32 = 250
  /// How long an interrupted call may take to end, in milliseconds.
  private static let grace: Int32 = 500

  /// Sends one request and waits for its reply. This thread also delivers the events that come
  /// before it: waking a thread for every reply would take longer than most requests. A caller that
  /// is interrupted through `inbox` leaves soon.
  /// - Throws: `engineFailed` if the enclave has ended, ends meanwhile, or does not answer in time
  ///   (it is ended then); why the caller is interrupted.
  func call(
    _ request: borrowing SecretBytes, for inbox: RequestInbox? = nil
  ) throws(Failure) -> SecretBytes { try call([], request.bytes, for: inbox) }

  /// The same for a request in two parts.
  func call(
    _ head: [UInt8], _ rest: Span<UInt8>, for inbox: RequestInbox? = nil
  ) throws(Failure) -> SecretBytes {
    try takeTurn(for: inbox)
    defer { endTurn() }
    host.holdArrivals()
    defer { host.releaseArrivals() }
    let interruption: Failure
    do throws(Failure) {
      try host.call(head, rest)
      let awaited = try awaitReply(inbox)
      switch consume awaited {
      case .reply(let reply):
        if Self.lacksTPM(reply) {
          // Only a new host can open the device.
          finish(Failure(.engineFailed, "it has no way to its TPM"))
          host.end()
        }
        return reply
      case .interrupted(let reason): interruption = reason
      }
    } catch {
      finish(error)
      host.end()
      throw ended()
    }
    state.update { $0.unanswered += 1 }
    throw interruption
  }

  /// Whether the enclave says that it cannot reach its TPM.
  private static func lacksTPM(_ reply: borrowing SecretBytes) -> Bool {
    guard EngineAnswer.number(of: reply) == Failure.number else { return false }
    let code = (try? Failure.decode(reply.bytes))?.code
    return code == .tpmNotFound || code == .tpmNotPermitted
  }

  private enum Awaited: ~Copyable {
    case reply(SecretBytes)
    case interrupted(Failure)
  }

  private func awaitReply(_ inbox: RequestInbox?) throws(Failure) -> Awaited {
    let deadline = Deadline(milliseconds: limits.enclaveCallMilliseconds)
    var graceEnd: Deadline?
    while true {
      let left = deadline.remainingMilliseconds
      let message = try host.receive(milliseconds: inbox == nil ? left : min(left, Self.glance))
      if let message {
        if let reply = try handle(message) { return .reply(reply) }
        continue
      }
      guard deadline.remainingMilliseconds > 0 else {
        throw Failure(.engineFailed, "the enclave does not answer")
      }
      guard let reason = inbox?.interruption else { continue }
      let limit = graceEnd ?? Deadline(milliseconds: Self.grace)
      graceEnd = limit
      if limit.remainingMilliseconds == 0 { return .interrupted(reason) }
    }
  }

  /// Takes the mailbox, which one thread at a time may use.
  private func takeTurn(for inbox: RequestInbox? = nil) throws(Failure) {
    var taken: Result<Void, Failure>?
    while taken == nil {
      taken = state.wait(nanoseconds: UInt64(Self.glance) * 1_000_000) { state in
        if let end = state.end { return .failure(end) }
        guard !state.isTaken else { return nil }
        state.isTaken = true
        return .success(())
      }
      if taken == nil, let reason = inbox?.interruption { taken = .failure(reason) }
    }
    try taken?.get()
  }

  private func endTurn() { state.update { $0.isTaken = false } }

  /// Asks for a reply of this kind, and throws the failure that the enclave may answer with.
  func ask<Reply: WireMessage & ~Copyable>(
    _ request: borrowing some WireMessage & ~Copyable, for inbox: RequestInbox? = nil,
    reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    let bytes = try call(request.encoded(), for: inbox)
    return try EngineAnswer.decode(bytes, from: "enclave")
  }

  /// Sends several requests in one message and returns the last one's reply. None may hold a
  /// secret.
  func ask<Reply: WireMessage & ~Copyable>(
    _ first: [any WireMessage], then last: some WireMessage, for inbox: RequestInbox? = nil,
    reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    guard !first.isEmpty else { return try ask(last, for: inbox) }
    return try ask(SeveralRequests((first + [last]).map { $0.encoded().copied }), for: inbox)
  }

  /// Sends a request that ``Protocol/Done`` answers.
  func tell(
    _ request: borrowing some WireMessage & ~Copyable, for inbox: RequestInbox? = nil
  ) throws(Failure) {
    _ = try ask(request, for: inbox, reply: Done.self)
  }

  /// Gives the enclave the socket from which frames of `channel` come.
  func attach(_ frames: consuming Descriptor, as channel: UInt32) throws(Failure) {
    try host.send(AttachSensor(channel: channel), descriptors: [frames.number])
  }

  func detach(_ channel: UInt32) throws(Failure) { try host.send(DetachSensor(channel: channel)) }

  // MARK: Events

  /// Delivers the touches of `session` to `inbox`.
  func listen(to session: UInt64, _ inbox: RequestInbox) {
    state.update { $0.listeners[session] = inbox }
  }

  func stopListening(to session: UInt64) { state.update { $0.listeners[session] = nil } }

  /// Interrupts `inbox` when the enclave ends, or at once if it has.
  func watch(_ inbox: RequestInbox) {
    let end = state.update { state -> Failure? in
      state.watchers[ObjectIdentifier(inbox)] = inbox
      return state.end
    }
    if let end { inbox.enclaveEnded(end) }
  }

  func stopWatching(_ inbox: RequestInbox) {
    state.update { $0.watchers[ObjectIdentifier(inbox)] = nil }
  }

  /// Receives what comes while no call runs, until the enclave has ended.
  private func read() {
    while true {
      host.waitForArrival()
      do throws(Failure) {
        try takeTurn()
        defer { endTurn() }
        // A reply without a caller is dropped.
        while let message = try host.receive(milliseconds: 0) { _ = try handle(message) }
      } catch {
        finish(error)
        host.end()
        return
      }
    }
  }

  /// Handles one message. Returns the bytes of an awaited reply.
  private func handle(_ message: consuming HostEvent) throws(Failure) -> SecretBytes? {
    switch consume message {
    case .reply(let bytes):
      if isAwaited() { return bytes }
    case .event(let bytes): try deliver(bytes)
    case .log(let level, let text): CoreLog.write(level, text, from: "enclave")
    default: break
    }
    return nil
  }

  /// Whether the reply's caller still waits.
  private func isAwaited() -> Bool {
    state.update { state in
      guard state.unanswered > 0 else { return true }
      state.unanswered -= 1
      return false
    }
  }

  private func deliver(_ bytes: borrowing SecretBytes) throws(Failure) {
    if EngineAnswer.number(of: bytes) == LockNotice.number {
      let notice: LockNotice = try EngineAnswer.decode(bytes, from: "enclave")
      return state.update { $0.lockNotice = notice }
    }
    let event: TouchEvent = try EngineAnswer.decode(bytes, from: "enclave")
    state.read { $0.listeners[event.session] }?.post(.touch(event))
  }

  // MARK: End

  func end() {
    finish(Core.ending)
    host.end()
  }

  private func ended() -> Failure {
    state.read { $0.end } ?? Failure(.engineFailed, "the enclave has ended")
  }

  private func finish(_ reason: Failure) {
    let failure =
      reason.code == .systemCancel
      ? reason
      : Failure(
        .engineFailed, "the enclave ended: \(reason.message)",
        hint: "run the command again: the enclave restarts locked and needs the passcode first")
    let watchers = state.update { state -> [RequestInbox] in
      guard state.end == nil else { return [] }
      state.end = failure
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.enclaveEnded(failure) }
  }
}
