public import CoreFoundationTypes
import Protocol

/// A key: a private one in the enclave or in this process, or a public one. Any thread.
///
/// Of a key of the enclave's it is a name: the private half is used where it is, and every use asks
/// for what the key's access control says. A private key in this process lies in memory that is wiped
/// when nobody holds it any more.
public final class SecKey: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let material: KeyMaterial
  /// What it is called and found by, where it is stored or was given a name.
  let names: KeyNames

  init(_ material: KeyMaterial, _ names: KeyNames = KeyNames()) {
    (self.material, self.names) = (material, names)
  }

  /// Two are equal that are the same half of one pair, in one place.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecKey else { return false }
    return switch (material, other.material) {
    case (.enclave(let own), .enclave(let other)): own.key.identifier == other.key.identifier
    case (.privateKey(let own), .privateKey(let other)): own.publicKey == other.publicKey
    case (.publicKey(let own), .publicKey(let other)): own == other
    default: false
    }
  }

  /// The same for equal ones.
  public override var hash: Int { material.publicKey.hashValue }

  /// Kind, size, half and place; nothing of a private key.
  public override var description: String {
    let kind = material.kind.family == .rsa ? "RSA" : "elliptic curve"
    let half =
      switch material {
      case .enclave: "private, in the enclave"
      case .privateKey: "private"
      case .publicKey: "public"
      }
    return "<SecKey: \(kind), \(material.kind.sizeInBits) bits, \(half)>"
  }
}

enum KeyMaterial {
  case enclave(EnclaveKeyUse)
  case privateKey(SoftwarePrivateKey)
  case publicKey(SoftwarePublicKey)

  /// The half that others may know.
  var publicKey: SoftwarePublicKey {
    switch self {
    case .enclave(let use): use.publicKey
    case .privateKey(let key): key.publicKey
    case .publicKey(let key): key
    }
  }

  /// What sort of key it is, and how large.
  var kind: SoftwareKeyKind { publicKey.kind }

  /// Whether it is the private half.
  var isPrivate: Bool {
    if case .publicKey = self { false } else { true }
  }
}

/// What a key is called and found by, beside what follows from it.
struct KeyNames {
  var label = ""
  /// For programs, of whatever form they like.
  var applicationTag: [UInt8] = []
  /// The item that it was read from; nil: none, or it is a key of the enclave's.
  var item: ItemAttributes?
}

/// The number of the class of keys.
@discardableResult public func SecKeyGetTypeID() -> CFTypeID { typeIdentifier(of: SecKey.self) }
