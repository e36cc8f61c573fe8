import CoreClient
import Glibc
import LinuxSystem
import Protocol
import Synchronization

/// The socket that ssh and other programs connect to.
final class AgentServer: Sendable {
  private let socket: Descriptor
  /// To be removed at the end; nil if systemd made the socket.
  private let path: String?
  private let desk: SigningDesk
  /// Shows the core that the agent runs, also while no client is connected.
  private let own: ApplicationClient
  private let upstream: String?
  private let seats = ClientSeats()
  private let closer = DescriptorCloser()

  private static let queue: Int32 = 128
  /// For all seats: a client that has listed keys takes four, with its connection to the core.
  private static let descriptors: UInt = 4096

  /// Listens at a path, or takes over the socket that systemd opened.
  /// - Throws: `usage` for a path that another process serves, or that cannot be used.
  init(
    _ path: String?, _ desk: SigningDesk, _ settings: ApplicationSettings, upstream: String?
  ) throws(Failure) {
    self.desk = desk
    own = ApplicationClient(settings, actingFor: RunningProcess(getpid()))
    self.upstream = upstream
    if let passed = Self.passedSocket() {
      DescriptorPassing.refuse(on: passed)
      socket = passed
      self.path = nil
      return
    }
    guard let path else {
      throw Failure(
        .usage, "There is no place for the socket",
        hint: "Name one with --socket PATH, or set XDG_RUNTIME_DIR.")
    }
    do throws(SystemCallError) {
      let socket = try Self.listen(at: path)
      DescriptorPassing.refuse(on: socket)
      self.socket = socket
    } catch {
      throw Failure(
        .usage, "Cannot listen at \(path): \(error.reason)",
        hint: error.number == EADDRINUSE
          ? "Another agent serves it, or it is no socket. End that one, or choose another path."
          : "Name a path in a folder of your own, of at most 107 bytes, with --socket PATH.")
    }
    self.path = path
  }

  /// Serves until the process is asked to end. ``SignalWatch/block()`` must have been called.
  func run() -> Never {
    let own = path.flatMap(Self.file)
    SignalWatch.start { [path] _ in
      // Another agent may have put its socket there since.
      if let path, Self.file(path) == own { unsafe unlink(path) }
      exit(0)
    }
    OpenDescriptors.allow(Self.descriptors)
    // Without the writers' names no proof is reused.
    try? MessageWriter.receive(on: socket)
    StandardError.say("authcore-ssh-agent: serves " + (path ?? "the socket of systemd"))
    SystemThread.start(name: "presence") { [self] in reportPresence() }
    while true {
      do throws(SystemCallError) {
        try UnixSocket.accept(socket) { peer in
          ClosingLine(closer, ofSocket: .process(peer.process), holding: nil)
        } _: { client, peer in
          admit(client, peer)
        }
      } catch {
        // Descriptors come back when clients leave.
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.number) {
          SystemThread.sleep(nanoseconds: 100_000_000)
        }
      }
    }
  }

  /// Serves a client on a thread of its own, if it is of this user or of root, and there is a seat.
  private func admit(_ client: consuming Descriptor, _ peer: PeerCredentials) {
    guard peer.user == geteuid() || peer.user == 0,
      let seat = seats.take(client.number, of: peer.process)
    else { return }
    let arrived = Mutex<Descriptor?>(client)
    SystemThread.start(name: "client") { [self] in
      guard let client = arrived.withLock({ $0.take() }) else { return }
      var served = AgentClient(client, desk, own, upstream: upstream)
      served.serve(in: seat)
      reportPresence()
    }
  }

  /// Which file a path leads to, as numbers.
  private static func file(_ path: String) -> [UInt64]? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Opens a connection to the core if there is none. It stays open.
  private func reportPresence() {
    do throws(Failure) {
      _ = try own.request(GetStatus(), for: CoreStatus.self)
    } catch {
      // Clients get the same failure, and the log the reason.
    }
  }

  /// Makes the socket, in place of one that a process left behind when it was killed.
  private static func listen(at path: String) throws(SystemCallError) -> Descriptor {
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK, try UnixSocket.connect(to: path) == nil else {
        throw SystemCallError("bind", number: EADDRINUSE)
      }
      unsafe unlink(path)
    }
    return try UnixSocket.listen(at: path, permissions: 0o600, queue: queue)
  }

  /// The socket of socket activation (sd_listen_fds(3)); nil if there is none.
  private static func passedSocket() -> Descriptor? {
    let (process, count) = (
      EnvironmentVariable.value(of: "LISTEN_PID"), EnvironmentVariable.value(of: "LISTEN_FDS")
    )
    guard process == String(getpid()), count == "1" else { return nil }
    _ = fcntl(3, F_SETFD, FD_CLOEXEC)
    return Descriptor(owning: 3)
  }
}
