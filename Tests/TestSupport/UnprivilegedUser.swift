import Foundation

/// Users whom root becomes in tests. Their numbers have no account.
package enum UnprivilegedUser {
  /// Whom the service runs as.
  package static let service: UInt32 = 65_531

  /// What runs a program as a user.
  /// - Parameters:
  ///   - user: the number of the user, and of the user's only group.
  ///   - capabilities: what it keeps, as setpriv(1) names it.
  /// - Returns: the beginning of its command line.
  package static func prefix(_ user: UInt32, keeping capabilities: String? = nil) -> [String] {
    let kept = capabilities.map { ",+\($0)" } ?? ""
    return [
      "/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups",
      "--inh-caps=-all\(kept)", "--ambient-caps=-all\(kept)", "--no-new-privs",
    ]
  }
}

extension TestService {
  /// What runs the service as its own user, with the one capability that its unit gives it.
  package static let ownUserPrefix = UnprivilegedUser.prefix(
    UnprivilegedUser.service, keeping: "sys_ptrace")

  /// Makes a service that runs as its own user, and its state folder, as systemd does.
  /// - Parameter prefix: what runs the program that becomes that user.
  /// - Returns: the service, which the first client starts.
  /// - Throws: what ``init(_:environment:prefix:)`` throws.
  package static func ofItsOwnUser(prefix: [String] = []) throws -> TestService {
    let service = try TestService(prefix: prefix + ownUserPrefix)
    _ = unsafe chmod(service.folder.url.path, 0o755)
    _ = unsafe mkdir(service.state, 0o700)
    _ = unsafe chown(service.state, UnprivilegedUser.service, UnprivilegedUser.service)
    return service
  }
}
