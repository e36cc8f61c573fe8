/// What a backup says of itself at its end.
package struct BackupCounts: Equatable, WireField {
  /// Items in it.
  package let items: UInt64
  /// Items and keys that stay on their device, and so are not in it (A9).
  package let leftOut: UInt64
  /// Items that were damaged when it was made, and so are not in it.
  package let unreadable: UInt64

  package init(items: UInt64, leftOut: UInt64, unreadable: UInt64) {
    self.items = items
    self.leftOut = leftOut
    self.unreadable = unreadable
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(items, leftOut, unreadable)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (items, leftOut, unreadable) = try decoder.read()
  }
}
