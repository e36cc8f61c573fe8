import CoreFoundationTypes
import Protocol

/// What SecItem gives for one item: the object itself where one thing is wanted, or a dictionary of
/// several.
struct ItemResult {
  let item: StoredItem
  /// How its group was named.
  let group: String?
  /// The secret, or a certificate in DER; nil where it is not wanted, or there is none.
  var data: NSData?
  /// What stands for it; nil where that is not wanted, or nothing stands for such an item.
  var reference: (any ItemReference)?

  /// In the shape that was asked for; nil where what was asked for is not there.
  func object(_ wanted: ItemRequest.Results) -> AnyObject? {
    let persistent = { item.persistentReference(group).data as NSData }
    switch wanted {
    case .data: return data
    case .reference: return reference
    case .persistentReference: return persistent()
    default: break
    }
    let dictionary =
      wanted.contains(.attributes)
      ? item.attributes.dictionary(item.persistentReference(group).kind) : NSMutableDictionary()
    if wanted.contains(.data), let data { dictionary[kSecValueData] = data }
    if wanted.contains(.reference), let reference { dictionary[kSecValueRef] = reference }
    if wanted.contains(.persistentReference) {
      dictionary[kSecValuePersistentRef] = persistent()
    }
    return dictionary.copy() as? NSDictionary ?? dictionary
  }
}

extension KeychainSession {
  /// What is wanted of an item; what opening it asks for is proved.
  /// - Throws: what opening it fails with.
  func result(
    of item: StoredItem, _ wanted: ItemRequest.Results, in group: String?
  ) throws(Failure) -> ItemResult {
    var result = ItemResult(item: item, group: group)
    guard !wanted.isDisjoint(with: [.data, .reference]) else { return result }
    switch item {
    case .item(let attributes) where attributes.itemClass == .certificate:
      let certificate = try certificate(of: item, in: group)
      if wanted.contains(.data) { result.data = Data(certificate) as NSData }
      if wanted.contains(.reference) {
        result.reference = try ReferenceMaking.certificate(certificate)
      }
    case .item(let attributes):
      let isKey = attributes.itemClass == .key
      guard wanted.contains(.data) || isKey else { return result }
      let got = try open(attributes, in: group)
      if wanted.contains(.data) { result.data = got.secret.foundationData() }
      if wanted.contains(.reference), isKey {
        result.reference = try ReferenceMaking.key(attributes, got.secret)
      }
    case .enclaveKey(let key):
      if wanted.contains(.reference) {
        result.reference = try ReferenceMaking.key(key, authentication)
      }
    case .identity(_, let key):
      let certificate = try certificate(of: item, in: group)
      if wanted.contains(.data) { result.data = Data(certificate) as NSData }
      if wanted.contains(.reference),
        let key = try self.result(of: key, .reference, in: group).reference
      {
        result.reference = try ReferenceMaking.identity(certificate, key)
      }
    }
    return result
  }
}
