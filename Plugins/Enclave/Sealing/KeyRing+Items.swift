import Protocol

extension KeyRing {
  /// Seals an item: the hashes it is found by, its attributes, and its secret.
  func sealItem(_ item: SealItem, with appPassword: HeldSecret?) throws(Failure) -> SealedItem {
    let hashes = try hashes(of: item.names)
    let protection = item.protection.identified(by: hashes.first)
    let attributes = try sealAttributes([
      AttributesEntry(
        accessibility: protection.accessibility, identity: protection.identity,
        bytes: item.attributes)
    ])
    guard let attributes = attributes.first else { throw .damagedItem }
    return SealedItem(
      hashes: hashes, attributes: attributes,
      secret: try seal(item.secret, as: .item, under: protection, with: appPassword))
  }
}

extension ItemProtection {
  /// The same of the item whose identity ends with `hash`.
  fileprivate func identified(by hash: [UInt8]?) -> ItemProtection {
    ItemProtection(
      accessibility: accessibility, accessControl: accessControl, identity: identity + (hash ?? []))
  }
}
