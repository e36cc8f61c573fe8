extension GiveStateBytes {
  /// Most bytes of one message.
  package static var most: Int { 64 << 10 }
}

extension StatePart {
  /// The folder's name.
  package var folder: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    }
  }

  /// The files that make up a state. What else lies there stays behind: what was put aside, what is
  /// made anew, and the mark of an enclave that destroys itself.
  package var files: [String] {
    switch self {
    case .enclave:
      ["attempts", "keybag", "root.key"]
        + (1...5).flatMap { ["finger-\($0)", "adapted-\($0)"] }
    case .keychain: ["keychain.sqlite", "keychain.sqlite-wal"]
    }
  }
}
