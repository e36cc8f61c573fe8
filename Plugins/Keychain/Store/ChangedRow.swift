import Protocol

/// A row to be replaced, as it was read and as it will be. Its identity stays.
struct ChangedRow {
  let previous: ItemRow
  /// Nil where the names stay, and the group.
  let name: HashedName?
  let sealedAttributes: [UInt8]
  /// Nil where the secret stays as it was sealed.
  var sealedSecret: [UInt8]?
  /// What guards it, where that changes; the secret is sealed anew then.
  var protection: (accessibility: Accessibility, accessControl: AccessControl?)?
  /// By which the applications find it that it is shared with; nil where that stays.
  var shares: [UInt8]?
}
