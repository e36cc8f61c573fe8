import Glibc
package import LinuxSystem

/// Where a client looks for the service of the machine (`AUTHCORE_SERVICE`).
package enum ServiceChoice: Equatable, Sendable {
  /// Behind its usual socket, where there is one.
  case usual
  /// Behind this socket, whether it is there or not; an absolute path.
  case socket(String)
  /// Nowhere, for development and tests.
  case off

  /// The socket of the service.
  package static let usualSocket = "/run/authcore/core.sock"
  private static let variable = "AUTHCORE_SERVICE"

  /// What a value of the variable means: `off`, or an absolute path; anything else is as good as
  /// none.
  package init(_ value: String?) {
    switch value {
    case "off": self = .off
    case let path? where path.hasPrefix("/"): self = .socket(path)
    default: self = .usual
    }
  }

  /// That of this process. One with more rights than its caller's (`AT_SECURE`) asks the service or
  /// nobody: a core on demand is the user's, whose folder the caller may be the one to write.
  package static func current(
    _ privilege: ProcessPrivilege = .current(isService: false)
  ) -> ServiceChoice {
    guard privilege == .ordinary else { return .socket(usualSocket) }
    return ServiceChoice(EnvironmentVariable.value(of: variable))
  }

  /// The socket to connect to; nil where no service is meant.
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
