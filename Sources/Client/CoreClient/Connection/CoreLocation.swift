import Glibc
package import LinuxSystem
package import Protocol

/// The location of a core.
package enum CoreLocation: Equatable, Sendable {
  /// The service of the machine, at this socket.
  case service(socket: String)
  /// The core of this state folder (an absolute path), started on demand.
  case folder(String)

  /// Whose prints a client uses.
  package enum Prints: Sendable {
    /// Those of a finger on a sensor.
    case real
    /// Published ones, which must never open anything real and have a state folder of their own.
    case synthetic
  }

  /// Chooses the core: in this order the named folder, the folder for synthetic prints, the
  /// service, and the person's own folder.
  /// - Parameters:
  ///   - home: the value of `--home`, which precedes `AUTHCORE_HOME`.
  ///   - prints: whose prints are used.
  ///   - environment: the process's.
  ///   - service: the socket of the service, or nil if there is none or it is not wanted.
  /// - Returns: the location.
  /// - Throws: `usage` if an empty folder is named.
  package static func choose(
    home: String?, prints: Prints, environment: ClientEnvironment, service: String?
  ) throws(Failure) -> CoreLocation {
    if let home {
      guard !home.isEmpty else { throw Failure(.usage, "--home is empty") }
      return .folder(environment.absolute(home))
    }
    if let home = environment.home { return .folder(environment.absolute(home)) }
    if prints == .real, let service { return .service(socket: service) }
    guard let state = environment.stateFolder else {
      throw Failure(
        .coreFailed, "There is no state folder: neither XDG_STATE_HOME nor HOME is set",
        hint: "Name one with --home DIR.")
    }
    return .folder(state + (prints == .synthetic ? "/authcore-replay" : "/authcore"))
  }

  /// Whether a state folder exists that a core accepts: only this user may enter it.
  static func isStateFolder(_ path: String) -> Bool { OpenStateFolder.isThere(path) }

  /// Whether this is a state folder that does not exist.
  package var isMissing: Bool {
    guard case .folder(let path) = self else { return false }
    return unsafe access(path, F_OK) != 0 && errno == ENOENT
  }

  /// The folder, or the service's socket, for messages.
  package var path: String {
    switch self {
    case .service(let socket): socket
    case .folder(let folder): folder
    }
  }
}

/// How a client finds the service of the machine (`AUTHCORE_SERVICE`).
package enum ServiceChoice: Equatable, Sendable {
  /// At its usual socket, if that exists.
  case usual
  /// At this socket, an absolute path, whether or not it exists.
  case socket(String)
  /// Nowhere, for development and tests.
  case off

  static let usualSocket = "/run/authcore/core.sock"
  private static let variable = "AUTHCORE_SERVICE"

  /// Reads a value of the variable: `off` or an absolute path; anything else is ignored.
  package init(_ value: String?) {
    switch value {
    case "off": self = .off
    case let path? where path.hasPrefix("/"): self = .socket(path)
    default: self = .usual
    }
  }

  /// The choice of this process. One with more rights than its caller (`AT_SECURE`) only uses the
  /// service: the folder of a core on demand may be writable by the caller.
  package static func current(
    _ privilege: ProcessPrivilege = .current(isService: false)
  ) -> ServiceChoice {
    guard privilege == .ordinary else { return .socket(usualSocket) }
    return ServiceChoice(EnvironmentVariable.value(of: variable))
  }

  /// The socket to connect to, or nil if there is no service.
  package var presentSocket: String? {
    switch self {
    case .off: return nil
    case .socket(let path): return path
    case .usual:
      var status = stat()
      let isThere =
        unsafe stat(Self.usualSocket, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
      return isThere ? Self.usualSocket : nil
    }
  }
}

/// Connects to a core's socket and tells who listens there.
enum CoreSocket {
  /// Connects to the socket at `path`, at most 107 bytes; messages call it `name`.
  /// - Returns: nil if nobody listens: there is no socket, or an abandoned one.
  /// - Throws: `coreFailed` for a path that is too long or a socket that may not be used.
  static func connect(to path: String, named name: String) throws(Failure) -> Descriptor? {
    do throws(SystemCallError) {
      return try UnixSocket.connect(to: path)
    } catch {
      throw error.number == ENAMETOOLONG
        ? Failure(.coreFailed, "The socket's path \(name) is too long") : failure(error, name)
    }
  }

  /// Who listens, according to the kernel.
  static func listener(of socket: borrowing Descriptor) throws(Failure) -> PeerCredentials {
    guard let peer = PeerCredentials(of: socket.number) else {
      throw failure(SystemCallError("getsockopt"), "the core's socket")
    }
    return peer
  }

  private static func failure(_ error: SystemCallError, _ name: String) -> Failure {
    Failure(.coreFailed, "Cannot reach the core of \(name): \(error)")
  }
}

/// A state folder that only the caller may enter, held open so that it stays the one that was
/// checked.
struct OpenStateFolder: ~Copyable {
  private let descriptor: Descriptor

  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Opens and checks the folder.
  /// - Returns: nil if it does not exist.
  /// - Throws: `usage` if it cannot be a folder, `coreFailed` if it belongs to somebody else or
  ///   others may enter it.
  static func open(_ path: String) throws(Failure) -> OpenStateFolder? {
    let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      let error = SystemCallError("open")
      if error.number == ENOENT { return nil }
      throw Failure(
        error.isOfPath ? .usage : .coreFailed,
        "Cannot open the state folder \(path): \(error.reason)",
        hint: "Name a folder of your own with --home DIR.")
    }
    let folder = OpenStateFolder(descriptor: Descriptor(owning: number))
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else {
      throw Failure(
        .coreFailed, "Cannot look at the state folder \(path): \(SystemCallError.text(of: errno))")
    }
    guard status.st_uid == geteuid() else {
      throw Failure(
        .coreFailed, "The state folder \(path) belongs to another user (uid \(status.st_uid))",
        hint: "Name a folder of your own with --home DIR.")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Failure(
        .coreFailed,
        "The state folder \(path) can be entered by others (mode "
          + String(status.st_mode & 0o777, radix: 8) + ")",
        hint: "Run: chmod 700 '\(path)'")
    }
    return folder
  }

  /// Whether the folder exists and only the caller may enter it.
  static func isThere(_ path: String) -> Bool {
    do throws(Failure) {
      switch try open(path) {
      case .some: return true
      case nil: return false
      }
    } catch {
      return false
    }
  }

  /// The path of the core's socket, short enough for `sockaddr_un` (unix(7): 108 bytes) even if the
  /// folder's path is not.
  var socketPath: String { "/proc/self/fd/\(descriptor.number)/\(StateFolder.socket)" }
}
