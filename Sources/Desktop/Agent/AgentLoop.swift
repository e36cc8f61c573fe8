import CSystemCalls
import CoreClient
import Glibc
import LinuxSystem
import Protocol
import WindowContents

/// Serves as the agent of one core after another, on a thread of its own. It starts no core.
final class AgentLoop: Sendable {
  /// Hears what a core says, or nil if it has ended.
  typealias Listener = @Sendable (AgentConnection.Event?, AgentConnection) -> Void

  private let location: CoreLocation
  private let listener: Listener

  /// How long to wait before a service that has ended is tried again, in seconds.
  private static let pauses: [UInt32] = [1, 2, 5, 10, 30, 60]
  /// How often a core is tried when its socket has appeared, because it listens a little later; and
  /// the pause between, in microseconds.
  private static let attempts = 20
  private static let pause: UInt32 = 20_000
  private static let aWhile = Duration.seconds(1)

  /// - Parameters:
  ///   - location: the core to serve.
  ///   - listener: called on the loop's thread.
  init(_ location: CoreLocation, _ listener: @escaping Listener) {
    (self.location, self.listener) = (location, listener)
  }

  /// Returns at once.
  func start() {
    SystemThread.start(name: "agent") { [self] in
      switch location {
      case .folder(let folder): serve(in: folder)
      case .service: serveService()
      }
    }
  }

  private func serve(in folder: String) {
    while true {
      guard let arrival = CoreArrival.begin(in: folder) else {
        Self.end("cannot watch the state folder \(folder)")
      }
      repeat {
        var attempts = Self.attempts
        while attempts > 0, arrival.isSocketThere {
          // The connection may have ended, but not the core.
          attempts = serveOnce() ? Self.attempts : attempts - 1
          usleep(Self.pause)
        }
      } while arrival.wait()
      // The folder was removed or replaced.
      sleep(1)
    }
  }

  private func serveService() {
    var failures = 0
    while true {
      failures = serveOnce() ? 0 : failures + 1
      sleep(Self.pauses[min(failures, Self.pauses.count - 1)])
    }
  }

  /// - Returns: whether a core accepted this agent for a while.
  private func serveOnce() -> Bool {
    do throws(Failure) {
      guard let connection = try connect() else { return false }
      let began = ContinuousClock.now
      do throws(Failure) {
        while true { listener(try connection.next(), connection) }
      } catch {
        listener(nil, connection)
        if error.code == .errSecMissingEntitlement { throw error }
        return ContinuousClock.now - began >= Self.aWhile
      }
    } catch {
      Self.end(error.message)
    }
  }

  /// Ends the program, which no core will accept.
  private static func end(_ reason: String) -> Never {
    StandardError.say("authcore-agent: \(reason)")
    exit(1)
  }

  /// Asks the core to accept this process as an agent; nil if no core runs.
  ///
  /// The core looks up this process's program (`/proc/PID/exe`), and this process its socket's
  /// folder (`/proc/self/fd`). Both need a dumpable process (`PR_SET_DUMPABLE`, prctl(2)). No
  /// prompt is shown meanwhile, so there is no secret.
  private func connect() throws(Failure) -> AgentConnection? {
    _ = ac_prctl(PR_SET_DUMPABLE, 1, 0)
    defer { _ = ac_prctl(PR_SET_DUMPABLE, 0, 0) }
    let connection: CoreConnection?
    do throws(Failure) {
      connection = try CoreAccess(to: location).connectIfRunning()
    } catch {
      // The core is ending, or is full.
      return nil
    }
    guard let connection else { return nil }
    guard connection.isSameVersion else {
      // The next core of a state folder may have this version. A replaced service brings its own
      // agent.
      if case .folder = location { return nil }
      throw Failure(
        .coreVersionMismatch, "the core is of version \(connection.welcome.softwareVersion)")
    }
    return try connection.becomeAgent()
  }
}

/// Notices when a core begins to serve a state folder (`inotify(7)`), and shows cores that an agent
/// is there. Makes the folder if it is missing.
private struct CoreArrival: ~Copyable {
  private let folder: String
  private let notices: Descriptor
  /// A shared lock that is held as long as this value lives.
  private let presence: Descriptor

  private init(_ folder: String, notices: consuming Descriptor, presence: consuming Descriptor) {
    self.folder = folder
    self.notices = notices
    self.presence = presence
  }

  /// Begins to watch; nil on failure.
  static func begin(in folder: String) -> CoreArrival? {
    var path = ""
    for name in folder.split(separator: "/") {
      path += "/" + name
      // A failure shows in the next call.
      unsafe mkdir(path, StateFolder.mode)
    }
    let lock = unsafe open(
      folder + "/" + StateFolder.agentLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return nil }
    let presence = Descriptor(owning: lock)
    let number = inotify_init1(Int32(IN_CLOEXEC))
    guard number >= 0 else { return nil }
    let notices = Descriptor(owning: number)
    let mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT
    guard flock(presence.number, LOCK_SH) == 0,
      unsafe inotify_add_watch(notices.number, folder, UInt32(mask)) >= 0
    else { return nil }
    return CoreArrival(folder, notices: notices, presence: presence)
  }

  /// Whether a core serves the folder, is about to, or has left its socket.
  var isSocketThere: Bool { unsafe access(folder + "/" + StateFolder.socket, F_OK) == 0 }

  /// Waits until something appears in the folder.
  /// - Returns: false if the folder is gone.
  func wait() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(notices.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      return unsafe access(folder + "/" + StateFolder.agentLock, F_OK) == 0
    }
  }
}
