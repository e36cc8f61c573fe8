public import CoreFoundationTypes
import Cryptography
import Protocol

/// What a key is described by.
///
/// `kSecAttrKeyType` and `kSecAttrKeyClass` are texts, the constants that they are compared with, where
/// ``SecItemCopyMatching(_:_:)`` gives numbers. Sizes, and what a key can do, are `CFNumber`. Of a public
/// key `kSecValueData` is there; of a private one ``SecKeyCopyExternalRepresentation(_:_:)`` alone gives
/// it. Of a key of the enclave's `kSecAttrTokenID`, and `kSecAttrAccessControl` where it has one.
/// - Returns: a dictionary by the names `kSecAttr…`.
@discardableResult public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  let dictionary: NSMutableDictionary
  switch key.material {
  case .enclave(let use):
    dictionary = use.key.itemAttributes.dictionary(.item(.key))
    if use.isTemporary {
      dictionary[kSecAttrIsPermanent] = NSNumber(value: 0)
      dictionary.removeObject(forKey: kSecAttrApplicationTag)
    }
  case .privateKey, .publicKey:
    var attributes = key.names.item ?? ItemAttributes()
    attributes.itemClass = .key
    let own = key.itemValues
    for name in own.names where attributes.values[name] == nil {
      attributes.values[name] = own[name]
    }
    dictionary = attributes.dictionary(.item(.key))
    if key.names.item == nil {
      // What it has where it is stored.
      for name in [
        kSecAttrAccessGroup, kSecAttrAccessible, kSecAttrCreationDate, kSecAttrModificationDate,
        kSecAttrSynchronizable,
      ] { dictionary.removeObject(forKey: name) }
    }
    if case .publicKey(let key) = key.material {
      dictionary[kSecValueData] = Data(key.external) as NSData
    }
  }
  for name in [kSecAttrKeyType, kSecAttrKeyClass] {
    if let number = dictionary[name] as? NSNumber {
      dictionary[name] = number.stringValue as NSString
    }
  }
  return dictionary.copy() as? NSDictionary
}

extension SecKey {
  /// What a key in this process is described by as an item.
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
    // SHA-1 fails only where libcrypto does not start, and then there is no key.
    if let label = try? material.publicKey.label() { values[.applicationLabel] = .data(label) }
    if !names.applicationTag.isEmpty { values[.applicationTag] = .data(names.applicationTag) }
    if !names.label.isEmpty { values[.label] = .text(names.label) }
    return values
  }
}
