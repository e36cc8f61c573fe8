import Wire

/// Everything that one application sees of a keychain.
struct KeychainContents: Equatable {
  var items: [Item] = []
  var keys: [EnclaveKey] = []

  struct Item: Equatable {
    let attributes: ItemAttributes
    let secret: String
  }
}

extension TestKeychain {
  /// What the application sees once it has proved everything.
  func contents(app: String = app) throws -> KeychainContents {
    enclave.evidence[1] = [.biometry, .passcode]
    var contents = KeychainContents()
    if try code(of: { contents.keys = try findKeys(app: app) }) == nil {
      for key in contents.keys { _ = try useKey(key.name, app: app) }
    }
    var found: [ItemAttributes] = []
    if let failure = try failure(of: { found = try find(app: app) }),
      failure.code != .errSecItemNotFound
    {
      throw failure
    }
    contents.items = try found.map { item in
      .init(attributes: item, secret: try get(query(item.service, item.account), app: app))
    }
    return contents
  }
}
