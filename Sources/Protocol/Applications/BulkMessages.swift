// Many items in one message, as a way of their own: each way to the keychain and back, to the
// enclave and back, and to the disk costs more than an item's own share of it.

extension AddItems {
  /// Most items of one message.
  package static let mostItems = 1024

  borrowing func check() throws(DecodeError) {
    guard items.reduce(0, { $0 + Int($1.secretCount) }) == secrets.count else {
      throw .invalidValue(field: "the secrets of several items")
    }
  }
}

extension ItemsAdded.Result {
  /// Whether it is stored by this message.
  package var isAdded: Bool { if case .added = self { true } else { false } }
}
