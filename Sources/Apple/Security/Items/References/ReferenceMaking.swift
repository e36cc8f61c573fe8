import CoreClient
import Cryptography
import Foundation
import Protocol

/// Makes the objects that stand for what is found (`kSecReturnRef`), and items of what is handed
/// over as bytes.
enum ReferenceMaking {
  /// The object for a private key of the enclave's; its uses prompt as `authentication` says.
  static func key(
    _ key: EnclaveKey, _ authentication: _Authentication?
  ) throws(Failure) -> any ItemReference {
    try SecKey(key, authentication.map { .lent($0) } ?? .none)
  }

  /// The object for a key that is kept as an item.
  static func key(
    _ attributes: ItemAttributes, _ representation: borrowing SecretBytes
  ) throws(Failure) -> any ItemReference {
    try SecKey(attributes, representation)
  }

  static func certificate(_ der: [UInt8]) throws(Failure) -> any ItemReference {
    try SecCertificate(der)
  }

  /// The object for a certificate in DER with its private key, which ``key(_:_:)`` made.
  static func identity(
    _ certificate: [UInt8], _ key: any ItemReference
  ) throws(Failure) -> any ItemReference {
    guard let key = key as? SecKey else { throw unsupported }
    return SecIdentity(try SecCertificate(certificate), key)
  }

  /// The item that a key becomes which an application hands over as bytes, in the form of
  /// `SecKeyCreateWithData`, with these attributes.
  static func keyItem(
    _ attributes: AttributeValues, _ representation: consuming SecretBytes
  ) throws(Failure) -> SoftwareKeyItem {
    SoftwareKeyItem(
      attributes: attributes.describing(representation), representation: representation)
  }

  /// From when until when a certificate in DER is valid, in seconds since 1970.
  static func validity(of certificate: [UInt8]) throws(Failure) -> ClosedRange<Int64> {
    try SecCertificate(certificate).validity
  }

  private static var unsupported: Failure {
    Failure(.unsupported, "no object is made for an item of this kind")
  }
}
