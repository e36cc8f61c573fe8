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

/// A row to be replaced, as it was read and as it will be. Its identity and its protection stay.
struct ChangedRow {
  let previous: ItemRow
  let name: HashedName
  let sealedAttributes: [UInt8]
  /// Nil where the secret stays.
  var sealedSecret: [UInt8]?
}
