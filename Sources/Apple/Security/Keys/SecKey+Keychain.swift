import CoreClient
import Cryptography
import Foundation
import Protocol

extension SecKey: ItemReference {
  func referencedItem() throws(Failure) -> ReferencedItem {
    switch material {
    case .enclave(let use): return .key(.enclave(use.key))
    case .publicKey(let key):
      return .key(
        .software(
          SoftwareKeyItem(
            attributes: itemValues, representation: SecretBytes(copying: key.external.span))))
    case .privateKey(let key):
      do throws(CryptographyError) {
        return .key(
          .software(SoftwareKeyItem(attributes: itemValues, representation: try key.external())))
      } catch {
        throw Failure(
          .errSecDecode, "the key cannot be written", hint: "try again with another key")
      }
    }
  }

  /// The object for a private key of the enclave's. Nobody is asked for it; its uses ask, as
  /// `authentication` says.
  convenience init(
    _ key: EnclaveKey, _ authentication: KeyAuthentication, isTemporary: Bool = false
  ) throws(Failure) {
    var names = KeyNames()
    names.label = key.label
    names.applicationTag = isTemporary ? [] : key.applicationTag
    self.init(
      .enclave(try EnclaveKeyUse(key, authentication, isTemporary: isTemporary)), names)
  }

  /// The object for a key that is kept as an item.
  convenience init(
    _ attributes: ItemAttributes, _ representation: borrowing SecretBytes
  ) throws(Failure) {
    var names = KeyNames()
    names.item = attributes
    names.label = attributes.label
    if case .data(let tag)? = attributes.values[.applicationTag] { names.applicationTag = tag }
    guard let (family, isPrivate) = attributes.values.softwareKey else {
      throw Failure(
        .unsupported, "an item of the class key says of itself no kind of key that is handled here",
        hint: "ask for its bytes: kSecReturnData")
    }
    do throws(KeyProblem) {
      self.init(
        try KeyMaterial(representation, of: family, isPrivate: isPrivate, "reading a stored key"),
        names)
    } catch {
      throw Failure(
        .errSecDecode, "what is stored as a key is none of the kind that it says",
        hint: "ask for its bytes: kSecReturnData")
    }
  }
}

extension AttributeValues {
  /// What sort of key they say it is, and whether its private half; nil where they say no sort, or one
  /// that is not handled here. Who says nothing of the half means the public one, as with Apple.
  var softwareKey: (family: SoftwareKeyFamily, isPrivate: Bool)? {
    let family: SoftwareKeyFamily
    switch self[.keyType] {
    case .number(73)?: family = .curve
    case .number(42)?: family = .rsa
    default: return nil
    }
    return switch self[.keyClass] {
    case .number(0)?, nil: (family, false)
    case .number(1)?: (family, true)
    default: nil
    }
  }

  /// With what a key that is handed over as bytes says of itself, where these attributes do not say
  /// it. Bytes that are no such key stay what they are: the keychain keeps anything.
  func describing(_ representation: borrowing SecretBytes) -> AttributeValues {
    guard let (family, isPrivate) = softwareKey,
      let material = try? KeyMaterial(
        representation, of: family, isPrivate: isPrivate, "reading a key")
    else { return self }
    var described = self
    let own = SecKey(material).itemValues
    for name in own.names where described[name] == nil { described[name] = own[name] }
    return described
  }
}
