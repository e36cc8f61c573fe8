import Protocol

/// A secret on its way between the window and the thread of a request.
final class HeldSecret: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// An item that was opened.
struct OpenedItem: Sendable {
  let attributes: ItemAttributes
  let secret: HeldSecret
}
