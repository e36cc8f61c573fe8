import Glibc
import LinuxSystem
import Protocol

/// The socket that systemd opened for the service (sd_listen_fds(3)): `LISTEN_PID` names the
/// process, `LISTEN_FDS` the number of descriptors from 3 on. Exactly one is taken.
struct ActivationSocket: ~Copyable, Sendable {
  private let socket: Descriptor
  /// Whether the kernel named writers even before the service asked for it (`PassCredentials=yes`,
  /// systemd.socket(5)). If not, the writers of what clients sent before they were accepted are
  /// unknown.
  let toldWriters: Bool

  /// The first descriptor that is passed.
  private static let first: Int32 = 3

  /// Takes over the socket.
  /// - Parameter variable: reads a variable of the environment.
  /// - Throws: `coreFailed` if there is none, several, or something else.
  init(_ variable: (String) -> String? = EnvironmentVariable.value(of:)) throws(Failure) {
    guard let count = variable("LISTEN_FDS"), let process = variable("LISTEN_PID") else {
      throw Self.failure("no socket was passed to the service (LISTEN_FDS, LISTEN_PID)")
    }
    guard process == String(getpid()) else {
      throw Self.failure("the socket was passed to another process (LISTEN_PID is not \(getpid()))")
    }
    guard count == "1" else {
      throw Self.failure("exactly one socket is to be passed to the service (LISTEN_FDS)")
    }
    // Before it is owned: if it is no socket the descriptor may be in use for something else.
    try Self.check(Self.first)
    let socket = Descriptor(owning: Self.first)
    _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
    // A client may be gone before it is accepted.
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    let toldWriters = Self.option(SO_PASSCRED, of: Self.first) == 1
    do throws(SystemCallError) {
      // Not on each client's socket: what a client sends before it is accepted counts, too.
      try MessageWriter.receive(on: socket)
    } catch {
      throw Self.failure("the socket that was passed cannot tell who writes (\(error))")
    }
    DescriptorPassing.refuse(on: socket)
    self.socket = socket
    self.toldWriters = toldWriters
  }

  private static func check(_ number: Int32) throws(Failure) {
    guard option(SO_DOMAIN, of: number) == AF_UNIX,
      option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN, of: number) == 1
    else {
      throw failure("descriptor \(number) is no listening Unix stream socket")
    }
  }

  private static func option(_ name: Int32, of number: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(number, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  private static func failure(_ what: String) -> Failure {
    Failure(
      .coreFailed, what,
      hint:
        "systemctl start authcored.socket; without systemd as the first process: systemd-socket-activate -l SOCKET authcored --service"
    )
  }

  var number: Int32 { socket.number }

  enum Arrival {
    /// A client came, though it may have left.
    case some
    case none
    /// No descriptor is left, until clients leave.
    case full
  }

  /// Accepts a client, if one has come, as ``LinuxSystem/UnixSocket`` does.
  borrowing func accept(
    closedBy line: (PeerCredentials) -> ClosingLine,
    serve: (consuming Descriptor, PeerCredentials) -> Void
  ) -> Arrival {
    do throws(SystemCallError) {
      try UnixSocket.accept(socket, closedBy: line, serve)
      return .some
    } catch {
      switch error.number {
      case EAGAIN: return .none
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .full
      default: return .some
      }
    }
  }
}

/// Tells systemd how the service is (sd_notify(3)), if systemd asked for it.
final class ServiceManager: Sendable {
  private let socket: DatagramSocket
  private let name: String
  /// The watchdog's time; nil if there is none.
  private let watchdogMicroseconds: UInt64?

  /// Finds the socket to notify; nil if there is none.
  /// - Parameter variable: reads a variable of the environment.
  init?(_ variable: (String) -> String? = EnvironmentVariable.value(of:)) {
    guard let name = variable("NOTIFY_SOCKET"), !name.isEmpty, let socket = Self.open() else {
      return nil
    }
    self.socket = socket
    self.name = name
    let isMeant = variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
    watchdogMicroseconds = isMeant ? variable("WATCHDOG_USEC").flatMap { UInt64($0) } : nil
  }

  private static func open() -> DatagramSocket? {
    do throws(SystemCallError) {
      return try DatagramSocket()
    } catch {
      return nil
    }
  }

  /// How often it must hear that the service is well, in nanoseconds: a third of the watchdog's
  /// time; nil if it need not.
  var pingNanoseconds: UInt64? { watchdogMicroseconds.map { max($0, 3) * 1000 / 3 } }

  func ready() { send("READY=1\nSTATUS=Takes clients.") }

  func reloading() {
    // systemd orders the two messages by CLOCK_MONOTONIC.
    send("RELOADING=1\nMONOTONIC_USEC=\(Deadline.now / 1000)")
  }

  func stopping() { send("STOPPING=1\nSTATUS=Ends.") }
  func ping() { send("WATCHDOG=1") }
  private func send(_ text: String) { _ = socket.send(Array(text.utf8), to: name) }
}
