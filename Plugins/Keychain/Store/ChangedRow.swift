/// A row to be replaced, as it was read and as it will be. Its identity and its protection stay.
struct ChangedRow {
  let previous: ItemRow
  /// Nil where the names stay.
  let name: HashedName?
  let sealedAttributes: [UInt8]
  /// Nil where the secret stays.
  var sealedSecret: [UInt8]?
}
