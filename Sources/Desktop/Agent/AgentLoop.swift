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
