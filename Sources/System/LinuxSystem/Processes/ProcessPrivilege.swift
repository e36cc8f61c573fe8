import CSystemCalls

/// Whether this process may be told by its environment to trust other folders or to do without a
/// sandbox.
package enum ProcessPrivilege: Equatable, Sendable {
  /// A person's own process: what it trusts is that person's affair.
  case ordinary
  /// Set-user-ID or the like (`AT_SECURE`, `getauxval(3)`), or the service: the environment is not
  /// to be believed.
  case privileged

  /// What this process is. The uid does not matter: root at a shell is a person.
  package static func current(isService: Bool) -> ProcessPrivilege {
    isService || ac_is_secure_execution() != 0 ? .privileged : .ordinary
  }
}
