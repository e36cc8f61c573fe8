public import CoreFoundationTypes
import Protocol

/// A certificate with the private key that it is for. Any thread.
public final class SecIdentity: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let certificate: SecCertificate
  let key: SecKey

  init(_ certificate: SecCertificate, _ key: SecKey) {
    (self.certificate, self.key) = (certificate, key)
  }

  /// Two are equal whose certificates and keys are.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && key == other.key
  }

  /// The same for equal ones.
  public override var hash: Int { certificate.hash }

  /// What people call whom it is about.
  public override var description: String { "<SecIdentity: \(certificate.summary ?? "no name")>" }
}

extension SecIdentity: ItemReference {
  func referencedItem() throws(Failure) -> ReferencedItem {
    guard case .key(let key) = try key.referencedItem() else {
      throw Failure(.errSecParam, "an identity without a key", hint: "make it of a SecKey")
    }
    return .identity(certificate: certificate.der, key: key)
  }
}

/// The number of the class of identities.
@discardableResult public func SecIdentityGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecIdentity.self)
}

/// An identity of its parts, which is not stored.
/// - Parameters:
///   - allocator: without effect.
///   - certificate: a certificate.
///   - privateKey: the private key of its public key.
/// - Returns: the identity; nil where they do not belong together.
@discardableResult public func SecIdentityCreate(
  _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard privateKey.material.isPrivate,
    SecCertificateCopyKey(certificate)?.material.publicKey == privateKey.material.publicKey
  else { return nil }
  return SecIdentity(certificate, privateKey)
}

/// The certificate of an identity.
/// - Parameters:
///   - identityRef: the identity.
///   - certificateRef: where the certificate goes; it is the caller's.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// The private key of an identity. Nobody is asked for it; its uses ask.
/// - Parameters:
///   - identityRef: the identity.
///   - privateKeyRef: where the key goes; it is the caller's.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.key
  return errSecSuccess
}
