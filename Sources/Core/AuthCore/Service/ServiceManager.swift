import Glibc
import LinuxSystem

/// Tells systemd how the service is (sd_notify(3)), where systemd asked for it.
final class ServiceManager: Sendable {
  private let socket: DatagramSocket
  private let name: String
  /// How long the watchdog waits; nil: there is none.
  private let watchdogMicroseconds: UInt64?

  /// Finds out who wants to be told; nil: nobody does.
  /// - Parameter variable: a variable of the environment.
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

  /// How often it has to hear that the service is well, in nanoseconds: three times before it loses
  /// patience. nil: it need not.
  var pingNanoseconds: UInt64? { watchdogMicroseconds.map { max($0, 3) * 1000 / 3 } }

  /// Clients are taken.
  func ready() { send("READY=1\nSTATUS=Takes clients.") }

  /// The policy is being read anew.
  func reloading() {
    // What systemd orders the two messages by is CLOCK_MONOTONIC.
    send("RELOADING=1\nMONOTONIC_USEC=\(Deadline.now / 1000)")
  }

  /// No more clients are taken.
  func stopping() { send("STOPPING=1\nSTATUS=Ends.") }

  /// The service is well.
  func ping() { send("WATCHDOG=1") }

  private func send(_ text: String) {
    _ = socket.send(Array(text.utf8), to: name)
  }
}
