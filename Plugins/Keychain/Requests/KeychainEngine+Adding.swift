import EngineKit
import Protocol

extension KeychainEngine {
  /// ``AddItem``: sealed by one message to the enclave, then written in one transaction, which
  /// refuses a second item of the same name.
  func add(
    _ request: consuming AddItem, for application: String
  ) throws(Failure) -> SecretBytes {
    let (identifier, attributes) = try newItem(request.attributes, of: application)
    let sealed = try enclave.seal(
      attributes, request.secret.bytes, identifier: identifier, in: attributes.group)
    try items.insert(NewRow(identifier: identifier, attributes: attributes, sealed: sealed))
    return ItemAdded(attributes: attributes).encoded()
  }

  /// An item as it will be stored, if an application may add it.
  func newItem(
    _ given: ItemAttributes, of application: String
  ) throws(Failure) -> (identifier: [UInt8], attributes: ItemAttributes) {
    var attributes = given
    try attributes.requireValid()
    guard attributes.itemClass != .certificate else {
      throw Failure(
        .errSecParam, "a certificate is not a secret, and is not added as one",
        hint: "ask with the message for certificates")
    }
    attributes.group = try group(attributes.group, of: application)
    attributes.sharedWith = []
    if attributes.accessControl != nil {
      attributes.accessibility = attributes.accessibility.onThisDeviceOnly
    }
    return (try register(&attributes), attributes)
  }

  /// Sets the identifier and the dates of a new item.
  func register(_ attributes: inout ItemAttributes) throws(Failure) -> [UInt8] {
    let identifier = try services.newIdentifier()
    attributes.identifier = ItemRow.text(of: identifier)
    attributes.createdAt = services.wallClock
    attributes.modifiedAt = attributes.createdAt
    return identifier
  }

  /// ``AddItems``: sealed by as few messages to the enclave as possible, then written in one
  /// transaction. The reply tells which items failed; a failure of the enclave or the database ends
  /// the request.
  func addSeveral(
    _ request: consuming AddItems, for application: String
  ) throws(Failure) -> SecretBytes {
    var items: [Result<UnsealedItem, Failure>] = []
    var start = 0
    for item in request.items {
      let end = start + Int(item.secretCount)
      do throws(Failure) {
        let (identifier, attributes) = try newItem(item.attributes, of: application)
        items.append(
          .success(
            UnsealedItem(identifier: identifier, attributes: attributes, secret: start..<end)))
      } catch {
        items.append(.failure(error))
      }
      start = end
    }
    var sealed = try enclave.seal(
      items.compactMap { try? $0.get() }, request.secrets.bytes
    ).makeIterator()
    let rows = items.map { item in
      item.flatMap { item in
        (sealed.next() ?? .failure(EnclaveLink.mismatch)).map {
          NewRow(identifier: item.identifier, attributes: item.attributes, sealed: $0)
        }
      }
    }
    var isStored = try self.items.insert(rows.compactMap { try? $0.get() }).makeIterator()
    let results: [ItemsAdded.Result] = rows.map { row in
      switch row {
      case .success(let row):
        isStored.next() == true ? .added(ItemRow.text(of: row.identifier)) : .duplicate
      case .failure(let failure): .failed(failure)
      }
    }
    return ItemsAdded(results: results).encoded(capacity: 64 + 40 * results.count)
  }
}

extension EngineServices {
  /// A random identifier for an item or a key.
  func newIdentifier() throws(Failure) -> [UInt8] {
    let random = try random(count: ItemRow.identifierCount)
    return random.copied
  }
}

extension ItemAttributes {
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireValid() throws(Failure) {
    for name in values.names {
      guard let value = values[name] else { continue }
      try itemClass.require(name, value)
    }
  }
}

extension ItemQuery {
  /// Refuses a query by attributes that its class does not have.
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireAskable() throws(Failure) {
    for name in terms.names {
      guard let value = terms[name] else { continue }
      if let itemClass { try itemClass.require(name, value) } else { try name.require(value) }
    }
  }
}

extension ItemChanges {
  /// - Throws: `errSecNoSuchAttr`, `errSecParam`.
  func requireApplicable(to itemClass: ItemClass) throws(Failure) {
    for name in terms.names {
      guard let value = terms[name] else { continue }
      try itemClass.require(name, value)
    }
  }
}

extension ItemClass {
  fileprivate func require(_ name: AttributeName, _ value: AttributeValue) throws(Failure) {
    guard attributes.contains(name) else {
      throw Failure(
        .errSecNoSuchAttr, "items of the class \(self.name) have no attribute \(name.name)",
        hint: """
          they have: \(attributes.filter(\.isForPeople).map(\.name).sorted().joined(separator: ", "))
          """)
    }
    try name.require(value)
  }
}

extension AttributeName {
  fileprivate func require(_ value: AttributeValue) throws(Failure) {
    // An empty value has every form.
    guard value.isEmpty || value.fits(form) else {
      throw Failure(
        .errSecParam,
        "the attribute \(name) holds \(formName), and something else was given for it",
        hint: "give it \(formName)")
    }
  }

  private var formName: String {
    switch form {
    case .text: "a text"
    case .data: "bytes"
    case .textOrData: "a text or bytes"
    case .number: "a number"
    case .flag: "0 or 1"
    case .time: "a time in seconds since 1970"
    }
  }
}
