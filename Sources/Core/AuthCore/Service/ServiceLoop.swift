import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The one thread of the service that nobody may hold up: it takes clients and looks after what is
/// idle. Whatever can take long runs elsewhere.
final class ServiceLoop: Sendable {
  private let isEnding = Atomic(false)
  private let isReloading = Atomic(false)
  private let woken: WakePipe
  private let clock = BootClock.system
  private let connections: ConnectionServer
  private let places = UserLedger(
    ServiceBudget.places(within: OpenDescriptors.limit))

  /// How long a client that could not be taken waits: descriptors come back.
  private static let pauseNanoseconds: UInt64 = 100_000_000

  /// - Parameter connections: what serves the clients that are taken.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  init(_ connections: ConnectionServer) throws(Failure) {
    self.connections = connections
    woken = try WakePipe()
  }

  /// Has ``run(_:_:_:reload:)`` return. Any thread.
  func end() {
    isEnding.store(true, ordering: .releasing)
    woken.wake()
  }

  /// Has ``run(_:_:_:reload:)`` call what reads the policy anew. Any thread.
  func reload() {
    isReloading.store(true, ordering: .releasing)
    woken.wake()
  }

  /// Takes clients until the end is asked for.
  /// - Parameters:
  ///   - socket: where they come.
  ///   - cores: who serves them.
  ///   - manager: hears that this thread and that of the connections are well, as often as it wants to; nil: nobody does.
  ///   - reload: is called when the policy is to be read anew.
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
      // Early rather than in a wake-up of its own.
      if let pings, isDue || now >= pingDue {
        // By the thread that serves the clients: it is well, too.
        connections.loop.post { manager?.ping() }
        pingDue = now + pings
      }
      let next = min(due, pingDue)
      wait(for: socket.number, nanoseconds: next - min(now, next))
      if takeClients(socket, cores) {
        // One that says no Hello is to be sent away in time.
        due = min(due, clock.now() + AdmissionRules().helloNanoseconds)
      }
    }
  }

  private func wait(for socket: Int32, nanoseconds: UInt64) {
    var polled = [socket, woken.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // Rounded up: too early would be again at once.
    let milliseconds = Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    _ = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if polled[1].revents != 0 {
      var byte: UInt8 = 0
      _ = unsafe read(polled[1].fd, &byte, 1)
    }
  }

  /// Clients that are taken before the rest of what this thread does has its turn.
  private static let clientsAtOnce = 64

  private static var full: Failure {
    Failure(
      .busy, "too many clients are connected to the service",
      hint: "end some of them, and try again")
  }

  /// - Returns: whether there was one.
  private func takeClients(_ socket: borrowing ActivationSocket, _ cores: UserCores) -> Bool {
    var hasCome = false
    for _ in 0..<Self.clientsAtOnce {
      switch socket.accept() {
      case .client(let client, let peer):
        hasCome = true
        serve(client, peer, cores)
      case .nobody: continue
      case .none: return hasCome
      case .full:
        SystemThread.sleep(nanoseconds: Self.pauseNanoseconds)
        return hasCome
      }
    }
    return hasCome
  }

  /// Whatever a client brings with it, its program on a file system that does not answer for
  /// example, holds up no others: it has a turn like a request.
  private func serve(
    _ client: consuming Descriptor, _ peer: PeerCredentials, _ cores: UserCores
  ) {
    let owner = TurnOrder.Owner(user: peer.user, process: peer.process)
    let place = UserLedger.Account(places, user: peer.user)
    guard place.note(1) else {
      UserCores.refuse(client, Self.full)
      return connections.close(client.release(), of: owner)
    }
    guard peer.user != 0 else {
      return RootGreeting.listen(to: client, of: owner, connections) { client, outcome in
        cores.serve(
          client, peer: peer, as: outcome.user, in: place, after: outcome.greeting,
          answering: outcome.request)
      }
    }
    let number = client.release()
    connections.turns.add(owner) { _ in
      cores.serve(Descriptor(owning: number), peer: peer, as: peer.user, in: place)
    }
  }
}
