import Glibc
package import Protocol

/// Which core a client talks to (CLI.md, `--home`).
package enum CoreLocation: Equatable, Sendable {
  /// The service of the machine, behind this socket.
  case service(socket: String)
  /// The core of this state folder (an absolute path), started on demand.
  case folder(String)

  /// Whose prints a client means to use.
  package enum Prints: Sendable {
    /// Those of a finger on a sensor.
    case real
    /// Published ones, which must never open anything real: they have a state folder of their own.
    case synthetic
  }

  /// Chooses the core: the folder that was named, the synthetic prints' own, the service's, else the
  /// person's own.
  /// - Parameters:
  ///   - home: what `--home` names; it comes before `AUTHCORE_HOME`.
  ///   - prints: whose prints are meant.
  ///   - environment: the process's.
  ///   - service: the socket of the service; nil: where there is none, or none is meant.
  /// - Returns: where the core is found or started.
  /// - Throws: `usage` where a folder is named and is none.
  package static func choose(
    home: String?, prints: Prints, environment: ClientEnvironment, service: String?
  ) throws(Failure) -> CoreLocation {
    if let home {
      guard !home.isEmpty else { throw Failure(.usage, "--home names no folder") }
      return .folder(environment.absolute(home))
    }
    if let home = environment.home { return .folder(environment.absolute(home)) }
    if prints == .real, let service { return .service(socket: service) }
    guard let state = environment.stateFolder else {
      throw Failure(
        .coreFailed, "There is no folder for the state: neither XDG_STATE_HOME nor HOME is set",
        hint: "Name one with --home DIR.")
    }
    return .folder(state + (prints == .synthetic ? "/authcore-replay" : "/authcore"))
  }

  /// Whether a state folder is there that a core takes: this user's, and nobody else's.
  package static func isStateFolder(_ path: String) -> Bool { OpenStateFolder.isThere(path) }

  /// Whether this is a state folder that is not there.
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
