import Wire

/// A row to be added.
struct NewRow {
  let identifier: [UInt8]
  let name: HashedName
  /// Of these only class, accessibility and access control are stored in the clear.
  let attributes: ItemAttributes
  let sealedAttributes: [UInt8]
  let sealedSecret: [UInt8]
}
