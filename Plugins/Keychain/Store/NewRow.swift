import Protocol

struct NewRow {
  let identifier: [UInt8]
  /// Of these only class, accessibility and access control are stored in the clear.
  let attributes: ItemAttributes
  let sealed: EnclaveLink.SealedRow
}
