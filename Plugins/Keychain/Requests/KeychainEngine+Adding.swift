import EngineKit
import Protocol

extension KeychainEngine {
  /// ``AddItem``: sealed by one message to the enclave, then written in one transaction. Nothing is
  /// stored before that. The database itself refuses a second item of one name.
  func add(
    _ request: consuming AddItem, for application: String
  ) throws(Failure) -> SecretBytes {
    let (identifier, attributes) = try newItem(request.attributes, of: application)
    let sealed = try enclave.seal(
      attributes, request.secret.bytes, identifier: identifier, in: attributes.group)
    try store.insert(NewRow(identifier: identifier, attributes: attributes, sealed: sealed))
    return ItemAdded(attributes: attributes).encoded()
  }

  /// An item as it will be stored: what an application gives, if that can be an item of its, and
  /// what the keychain says of it.
  func newItem(
    _ given: ItemAttributes, of application: String
  ) throws(Failure) -> (identifier: [UInt8], attributes: ItemAttributes) {
    var attributes = given
    try attributes.requireValid()
    guard attributes.itemClass != .certificate else {
      throw Failure(
        .errSecParam, "a certificate is no secret, and not added as one",
        hint: "ask with the message for certificates")
    }
    attributes.group = try group(attributes.group, of: application)
    attributes.sharedWith = []
    if attributes.accessControl != nil {
      attributes.accessibility = attributes.accessibility.onThisDeviceOnly
    }
    return (try register(&attributes), attributes)
  }

  /// Gives an item what the keychain alone knows of it: its identifier, which is returned, and when
  /// it was added.
  func register(_ attributes: inout ItemAttributes) throws(Failure) -> [UInt8] {
    let identifier = try freshIdentifier()
    attributes.identifier = ItemRow.text(of: identifier)
    attributes.createdAt = services.wallClock
    attributes.modifiedAt = attributes.createdAt
    return identifier
  }

  /// An identifier that nothing has yet.
  func freshIdentifier() throws(Failure) -> [UInt8] {
    let random = try services.random(count: ItemRow.identifierCount)
    return random.copied
  }
}
