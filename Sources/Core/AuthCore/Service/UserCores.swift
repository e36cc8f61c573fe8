import Glibc
import LinuxSystem
import Protocol

/// The cores of the service's users: each is started by its user's first request, and ended when it
/// is idle and holds nothing. Any thread.
final class UserCores: Sendable {
  private enum Entry: Sendable {
    case starting
    case running(UserCore)
    case ending
  }

  private struct State: Sendable {
    var entries: [UInt32: Entry] = [:]
    var rules: [UInt32: IdleRules] = [:]
    /// Users whose core is being locked, or asked whether it is needed.
    var tended: Set<UInt32> = []
    /// Clients on their way to a core, which does not end before they arrive.
    var entering: [UInt32: Int] = [:]
    var isOver = false

    var running: [(UInt32, UserCore)] {
      entries.compactMap { user, entry -> (UInt32, UserCore)? in
        if case .running(let core) = entry { (user, core) } else { nil }
      }
    }
  }

  private let service: ServiceFacts
  private let state = Guarded(State())

  init(_ service: ServiceFacts) { self.service = service }

  // MARK: Clients

  /// Serves a client as `user`. Takes long only if that user's core does not run.
  /// - Parameters:
  ///   - socket: the client's.
  ///   - peer: the client's process.
  ///   - user: whose keychain is meant.
  ///   - greeting: how far the client has introduced itself.
  ///   - request: the id of the request for that user, which is answered; nil if there was none.
  func serve(
    _ socket: consuming Descriptor, peer: PeerCredentials, as user: UInt32,
    after greeting: Greeting = .awaited, answering request: UInt32? = nil
  ) {
    do throws(Failure) {
      if request != nil { try requireState(of: user) }
      let core = try enter(user).core
      defer { leave(user) }
      if let request { Self.send(ClientEnvelope.encode(Done(), request: request), to: socket) }
      core.serve(socket, peer: peer, after: greeting)
    } catch {
      Self.refuse(socket, error, request: request ?? 0)
    }
  }

  /// Ends the connection of a client that is not served.
  static func refuse(_ socket: borrowing Descriptor, _ failure: Failure, request: UInt32 = 0) {
    send(ClientEnvelope.encode(failure, request: request), to: socket)
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  /// Sends something short to a client that is not served yet, unless its buffer is full.
  private static func send(_ message: borrowing SecretBytes, to socket: borrowing Descriptor) {
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    var unsent = UnsentBytes()
    do throws(StreamError) {
      try unsent.send(message, on: socket.number, holding: nil)
    } catch {
      // The client's next read fails.
    }
  }

  func runs(_ user: UInt32) -> Bool {
    state.read { if case .running = $0.entries[user] { true } else { false } }
  }

  /// Root asks for everyone who logs in. Users without a state get no core.
  private func requireState(of user: UInt32) throws(Failure) {
    guard !runs(user), unsafe access(service.folder(of: user), F_OK) != 0 else { return }
    throw Failure(
      .passcodeNotSet, "user \(user) has no passcode", hint: "set one: authcore passcode set")
  }

  /// The core of `user`, started unless it runs. It stays until ``leave(_:)``.
  private func enter(_ user: UInt32) throws(Failure) -> UserCore {
    // Before a place is taken, because this may have to wait.
    if !runs(user) { try SubordinateUsers.refuse(user, keepingIn: service.folder(of: user)) }
    let running: Result<UserCore?, Failure> = state.wait { state in
      if state.isOver { return .failure(Core.ending) }
      switch state.entries[user] {
      case .starting, .ending: return nil
      case .running(let core):
        state.entering.count(user, by: 1)
        return .success(core)
      case nil:
        guard state.entries.count < ServiceBudget.users else { return .failure(Self.full) }
        state.entering.count(user, by: 1)
        state.entries[user] = .starting
        return .success(nil)
      }
    }
    if let core = try running.get() { return core }
    do throws(Failure) {
      return try start(user)
    } catch {
      leave(user)
      throw error
    }
  }

  private func leave(_ user: UInt32) { state.update { $0.entering.count(user, by: -1) } }

  private static var full: Failure {
    Failure(
      .busy, "the keychains of \(ServiceBudget.users) users are open already",
      hint: "those that nobody uses are closed after a minute; try again then")
  }

  private func start(_ user: UInt32) throws(Failure) -> UserCore {
    do throws(Failure) {
      let core = try UserCore(user, in: service) { [weak self] in self?.endAtOnce(user) }
      let isOver = state.update { state in
        state.entries[user] = .running(core)
        state.rules[user] = IdleRules(endsByItself: true)
        return state.isOver
      }
      if isOver { core.end() }
      return core
    } catch {
      state.update { $0.entries[user] = nil }
      throw error
    }
  }

  // MARK: Idleness

  /// Locks the devices of owners who have been away for long, and ends cores that are not needed,
  /// on threads of their own because an enclave may not answer.
  /// - Returns: when to look again; nanoseconds since boot.
  func tend(at now: UInt64) -> UInt64 {
    let running = running
    var due = now + IdleRules.longestWait
    for (user, userCore) in running {
      if let silent = userCore.core.closeSilent() { due = min(due, now + silent) }
      let action = state.update { state in
        state.tended.contains(user)
          ? nil : state.rules[user]?.action(at: now, userCore.core.activity)
      }
      switch action {
      case .lock: tend(user) { userCore.core.enclaves.lock() }
      case .endUnlessNeeded:
        tend(user) { [self] in if userCore.core.enclaves.holdNothing { end(user, userCore) } }
      case .wait(let nanoseconds): due = min(due, now + nanoseconds)
      case nil: break
      }
    }
    return due
  }

  private func tend(_ user: UInt32, _ body: @escaping @Sendable () -> Void) {
    state.update { _ = $0.tended.insert(user) }
    SystemThread.start(name: "user-idle") { [self] in
      body()
      state.update { _ = $0.tended.remove(user) }
    }
  }

  /// Ends a user's core unless a client is connected.
  private func end(_ user: UInt32, _ userCore: UserCore) {
    let isEnding = state.update { state in
      guard !state.isOver, case .running = state.entries[user], state.entering[user] == nil,
        userCore.core.closeUnlessUsed()
      else { return false }
      state.entries[user] = .ending
      state.rules[user] = nil
      return true
    }
    guard isEnding else { return }
    userCore.end()
    state.update { $0.entries[user] = nil }
  }

  /// Ends a user's core even if clients are connected. The next client gets another one.
  private func endAtOnce(_ user: UInt32) {
    let userCore = state.update { state -> UserCore? in
      guard !state.isOver, case .running(let core) = state.entries[user] else { return nil }
      state.entries[user] = .ending
      state.rules[user] = nil
      return core
    }
    guard let userCore else { return }
    SystemThread.start(name: "user-end") { [self] in
      userCore.end()
      state.update { $0.entries[user] = nil }
    }
  }

  /// Applies the current policy to every core: the rules to enclaves, and the choice of drivers.
  func applyPolicy() {
    let running = running
    SystemThread.start(name: "policy") {
      for (_, userCore) in running { userCore.core.enclaves.tighten() }
    }
    service.forgetReader()
  }

  private var running: [(UInt32, UserCore)] { state.read { $0.running } }

  func end() {
    let running = state.update { state in
      state.isOver = true
      return state.running
    }
    for (user, userCore) in running {
      SystemThread.start(name: "user-end") { [self] in
        userCore.end()
        state.update { $0.entries[user] = nil }
      }
    }
    // One that is starting ends itself.
    state.wait { state in
      let left = state.entries.values.contains { if case .starting = $0 { false } else { true } }
      return left ? nil : ()
    }
  }
}
