public import CoreFoundationTypes

/// By what a certificate is judged. Any thread.
public final class SecPolicy: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let purpose: ChainQuestion.Purpose
  let host: String?

  init(_ purpose: ChainQuestion.Purpose, host: String? = nil) {
    (self.purpose, self.host) = (purpose, host)
  }

  /// Two are equal that ask for the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecPolicy else { return false }
    return purpose == other.purpose && host == other.host
  }

  /// The same for equal ones.
  public override var hash: Int { host?.hashValue ?? 0 }
}

/// The number of the class of policies.
@discardableResult public func SecPolicyGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecPolicy.self)
}

/// Signatures, dates and authorities, and nothing besides.
@discardableResult public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// What TLS wants besides.
/// - Parameters:
///   - server: whether the certificate is a server's; else it is a client's.
///   - hostname: the name or the address of the host that it has to be of; nil: of whichever.
/// - Returns: the policy.
@discardableResult public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?)
  -> SecPolicy
{
  SecPolicy(server ? .server : .client, host: hostname.map { $0 as String })
}
