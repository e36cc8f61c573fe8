import CSystemCalls
import CoreClient
import Glibc
import LinuxSystem
import Protocol
import WindowContents

/// Serves as the agent of one core after the other: whenever one runs, on a thread of its own. It
/// starts none.
final class AgentLoop: Sendable {
  /// Hears what a core says; `nil`: it is gone.
  typealias Listener = @Sendable (AgentConnection.Event?, AgentConnection) -> Void

  private let location: CoreLocation
  private let listener: Listener

  /// How long to wait until a service that ended is asked again, in seconds; longer each time.
  private static let pauses: [UInt32] = [1, 2, 5, 10, 30, 60]
  /// How often, and in which steps of microseconds, a core is tried whose socket has appeared: it
  /// listens a moment later.
  private static let attempts = 20
  private static let pause: UInt32 = 20_000
  private static let aWhile = Duration.seconds(1)

  /// - Parameters:
  ///   - location: which core.
  ///   - listener: hears what it says; on the loop's thread.
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
          // It may have ended the connection, and not itself.
          attempts = serveOnce() ? Self.attempts : attempts - 1
          usleep(Self.pause)
        }
      } while arrival.wait()
      // The folder is gone, or another one took its place.
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

  /// - Returns: whether a core took this agent for a while.
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

  /// No core will ever take this agent.
  private static func end(_ reason: String) -> Never {
    StandardError.say("authcore-agent: \(reason)")
    exit(1)
  }

  /// A connection that the core has been asked on to take as an agent; nil where none runs.
  ///
  /// The core looks up which program this is (`/proc/PID/exe`), and this process the socket's folder
  /// (`/proc/self/fd`): neither is possible while it lets nobody look into it (`PR_SET_DUMPABLE`,
  /// prctl(2)). No prompt is shown meanwhile, and nothing secret is there.
  private func connect() throws(Failure) -> AgentConnection? {
    _ = ac_prctl(PR_SET_DUMPABLE, 1, 0)
    defer { _ = ac_prctl(PR_SET_DUMPABLE, 0, 0) }
    let connection: CoreConnection?
    do throws(Failure) {
      connection = try CoreAccess(to: location).connectIfRunning()
    } catch {
      // A core that is ending, or has no place at the moment.
      return nil
    }
    guard let connection else { return nil }
    guard connection.isSameVersion else {
      // The next core of a state folder is of the version that starts it; a service that was
      // replaced brings another agent with it.
      if case .folder = location { return nil }
      throw Failure(
        .coreVersionMismatch, "the core is of version \(connection.welcome.softwareVersion)")
    }
    return try connection.becomeAgent()
  }
}

/// Notices when a core begins to serve a state folder (`inotify(7)`), and tells cores meanwhile that
/// an agent is there. Makes the folder where it is missing.
struct CoreArrival: ~Copyable {
  private let folder: String
  private let notices: Descriptor
  /// Held shared for as long as this lives.
  private let presence: Descriptor

  private init(_ folder: String, notices: consuming Descriptor, presence: consuming Descriptor) {
    self.folder = folder
    self.notices = notices
    self.presence = presence
  }

  /// Begins to watch; nil where folder or watch cannot be had.
  static func begin(in folder: String) -> CoreArrival? {
    var path = ""
    for name in folder.split(separator: "/") {
      path += "/" + name
      // One that is there, or cannot be made, shows in the next call.
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

  /// Whether a core serves the folder, or is about to, or has left its socket behind.
  var isSocketThere: Bool { unsafe access(folder + "/" + StateFolder.socket, F_OK) == 0 }

  /// Waits until something has appeared in the folder.
  /// - Returns: false when the folder is not there any more.
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
