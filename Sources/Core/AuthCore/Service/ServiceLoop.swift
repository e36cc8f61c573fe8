import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The service's main thread, which must never block: it accepts clients and tends idle cores.
/// Whatever may take long runs elsewhere.
final class ServiceLoop: Sendable {
  private let isEnding = Atomic(false)
  private let isReloading = Atomic(false)
  private let woken: WakePipe
  private let clock = BootClock.system
  private let connections: ConnectionServer
  private let places = UserLedger(ServiceBudget.places(within: OpenDescriptors.limit))

  /// The pause when no descriptor is left.
  private static let pauseNanoseconds: UInt64 = 100_000_000

  /// - Throws: `coreFailed` if the process has no descriptors left.
  init(_ connections: ConnectionServer) throws(Failure) {
    self.connections = connections
    woken = try WakePipe()
  }

  /// Makes ``run(_:_:_:reload:)`` return. Any thread.
  func end() {
    isEnding.store(true, ordering: .releasing)
    woken.wake()
  }

  /// Makes ``run(_:_:_:reload:)`` call `reload`. Any thread.
  func reload() {
    isReloading.store(true, ordering: .releasing)
    woken.wake()
  }

  /// Accepts clients until ``end()``.
  /// - Parameters:
  ///   - socket: where they come.
  ///   - cores: serve them.
  ///   - manager: is told regularly that this thread and the connections' thread are well; nil if
  ///     nothing wants to know.
  ///   - reload: reads the policy anew.
  func run(
    _ socket: borrowing ActivationSocket, _ cores: UserCores, _ manager: ServiceManager?,
    reload: () -> Void
  ) {
    let pings = manager?.pingNanoseconds
    var due: UInt64 = 0
    var pingDue = UInt64.max
    if let pings { pingDue = clock.now() + pings }
    while !isEnding.load(ordering: .acquiring) {
      let now = clock.now()
      if isReloading.exchange(false, ordering: .acquiringAndReleasing) { reload() }
      let isDue = now >= due
      if isDue { due = cores.tend(at: now) }
      // Early, to save a wake-up.
      if let pings, isDue || now >= pingDue {
        // In the thread that serves the clients, which shows that it is well, too.
        connections.loop.post { manager?.ping() }
        pingDue = now + pings
      }
      let next = min(due, pingDue)
      wait(for: socket.number, nanoseconds: next - min(now, next))
      if takeClients(socket, cores) {
        // A client that says no Hello must be dismissed in time.
        due = min(due, clock.now() + AdmissionRules().helloNanoseconds)
      }
    }
  }

  private func wait(for socket: Int32, nanoseconds: UInt64) {
    var polled = [socket, woken.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // Rounded up, because a wake-up too early would repeat at once.
    let milliseconds = Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if polled[1].revents != 0 {
      var byte: UInt8 = 0
      _ = unsafe read(polled[1].fd, &byte, 1)
    }
  }

  /// Clients that are accepted before this thread does something else.
  private static let clientsAtOnce = 64

  private static var full: Failure {
    Failure(
      .busy, "too many clients are connected to the service",
      hint: "end some of them, and try again")
  }

  private func takeClients(_ socket: borrowing ActivationSocket, _ cores: UserCores) -> Bool {
    var hasCome = false
    for _ in 0..<Self.clientsAtOnce {
      var hasPlace = false
      let arrival = socket.accept { peer in
        let place = UserLedger.Account(places, user: peer.user)
        hasPlace = place.note(1)
        return connections.line(ofSocket: peer, holding: place)
      } serve: { client, peer in
        if hasPlace { serve(client, peer, cores) } else { UserCores.refuse(client, Self.full) }
      }
      switch arrival {
      case .some: hasCome = true
      case .none: return hasCome
      case .full:
        SystemThread.sleep(nanoseconds: Self.pauseNanoseconds)
        return hasCome
      }
    }
    return hasCome
  }

  /// Serves a client in a turn, like a request, because it may block: its program may be on a file
  /// system that does not answer.
  private func serve(_ client: consuming Descriptor, _ peer: PeerCredentials, _ cores: UserCores) {
    let owner = TurnOrder.Owner(user: peer.user, process: peer.process)
    guard peer.user != 0 else {
      return RootGreeting.listen(to: client, of: owner, connections) { client, outcome in
        cores.serve(
          client, peer: peer, as: outcome.user, after: outcome.greeting, answering: outcome.request)
      }
    }
    let arrived = Mutex<Descriptor?>(client)
    connections.turns.add(owner) { _ in
      guard let client = arrived.withLock({ $0.take() }) else { return }
      cores.serve(client, peer: peer, as: peer.user)
    }
  }
}
