public import CoreFoundationTypes
import Cryptography
import Protocol

/// A key: a private one in the enclave or in this process, or a public one. Any thread.
///
/// It only names a key of the enclave: the private half is used where it is, and every use asks for
/// what the key's access control demands. A private key in this process lies in memory that is wiped
/// with the last reference.
public final class SecKey: NSObject, ItemReference, @unchecked Sendable {
  // Sendable: it is immutable.
  let material: KeyMaterial
  let names: KeyNames

  init(_ material: KeyMaterial, _ names: KeyNames = KeyNames()) {
    (self.material, self.names) = (material, names)
  }

  /// A private key of the enclave. Making the object asks nobody; its uses ask as `authentication`
  /// says.
  convenience init(
    _ key: EnclaveKey, _ authentication: KeyAuthentication, isTemporary: Bool = false
  ) throws(Failure) {
    let names = KeyNames(
      label: key.label, applicationTag: isTemporary ? [] : key.applicationTag)
    self.init(
      .enclave(try EnclaveKeyUse(key, authentication, isTemporary: isTemporary)), names)
  }

  /// A key that is kept as an item.
  convenience init(
    _ attributes: ItemAttributes, _ representation: borrowing SecretBytes
  ) throws(Failure) {
    var names = KeyNames(label: attributes.label, item: attributes)
    if case .data(let tag)? = attributes.values[.applicationTag] { names.applicationTag = tag }
    guard let (family, isPrivate) = attributes.values.softwareKey else {
      throw Failure(
        .unsupported, "an item of the class key does not describe a supported kind of key",
        hint: "ask for its bytes: kSecReturnData")
    }
    do throws(KeyProblem) {
      self.init(
        try KeyMaterial(representation, of: family, isPrivate: isPrivate, "reading a stored key"),
        names)
    } catch {
      throw Failure(
        .errSecDecode, "a stored key is not of the kind that it states",
        hint: "ask for its bytes: kSecReturnData")
    }
  }

  /// Two keys are equal if they are the same half of one pair, in one place.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return switch (material, other.material) {
    case (.enclave(let own), .enclave(let other)): own.key.identifier == other.key.identifier
    case (.privateKey(let own), .privateKey(let other)): own.publicKey == other.publicKey
    case (.publicKey(let own), .publicKey(let other)): own == other
    default: false
    }
  }

  public override var hash: Int { material.publicKey.hashValue }

  public override var description: String { material.description }

  func referencedItem() throws(Failure) -> ReferencedItem {
    if case .enclave(let use) = material { return .key(.enclave(use.key)) }
    do throws(KeyProblem) {
      return .key(
        .software(
          SoftwareKeyItem(attributes: itemValues, representation: try material.external())))
    } catch {
      throw Failure(.errSecDecode, "the key cannot be written", hint: "try again with another key")
    }
  }

  /// The attributes that a key in this process has as an item.
  var itemValues: AttributeValues {
    let kind = material.kind
    let isPrivate = material.isPrivate
    let size = AttributeValue.number(Int64(kind.sizeInBits))
    let flag = { (isSo: Bool) in AttributeValue.number(isSo ? 1 : 0) }
    var values: AttributeValues = [
      .keyClass: flag(isPrivate), .keyType: .number(kind.family == .rsa ? 42 : 73),
      .keySizeInBits: size, .effectiveKeySize: size, .isPermanent: flag(names.item != nil),
      .canSign: flag(isPrivate), .canDecrypt: flag(isPrivate),
      .canDerive: flag(isPrivate && kind.family == .curve), .canUnwrap: flag(isPrivate),
      .canVerify: flag(!isPrivate), .canEncrypt: flag(!isPrivate), .canWrap: flag(!isPrivate),
    ]
    // SHA-1 fails only if libcrypto does not start, and then there is no key.
    if let label = try? material.publicKey.label() { values[.applicationLabel] = .data(label) }
    if !names.applicationTag.isEmpty { values[.applicationTag] = .data(names.applicationTag) }
    if !names.label.isEmpty { values[.label] = .text(names.label) }
    return values
  }
}

/// How a key is called and found.
struct KeyNames {
  var label = ""
  /// For programs, in any form they like.
  var applicationTag: [UInt8] = []
  /// The item that the key was read from; nil for keys of the enclave and keys that are not stored.
  var item: ItemAttributes?
}

extension AttributeValues {
  /// The family and half of the key that these attributes describe, or nil if they describe none that
  /// is handled here. Without a half the public one is meant, as with Apple.
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

  /// These attributes, completed by what the bytes of a key say about it. Bytes that are not such a
  /// key add nothing: the keychain keeps anything.
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
