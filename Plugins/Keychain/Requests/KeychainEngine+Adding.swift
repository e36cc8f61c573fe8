import EngineKit
import Wire

extension KeychainEngine {
  /// ``AddItem``: sealed by one message to the enclave, then written in one transaction. Nothing is
  /// stored before that. The database itself refuses a second item of one name.
  func add(
    _ request: consuming AddItem, for application: String
  ) throws(Failure) -> SecretBytes {
    var attributes = request.attributes
    try attributes.requireValid()
    guard attributes.itemClass != .certificate else {
      throw Failure(
        .errSecParam, "a certificate is no secret, and not added as one",
        hint: "ask with the message for certificates")
    }
    attributes.group = try group(attributes.group, of: application)
    if attributes.accessControl != nil {
      attributes.accessibility = attributes.accessibility.onThisDeviceOnly
    }
    attributes.createdAt = services.wallClock
    attributes.modifiedAt = attributes.createdAt

    let random = try services.random(count: ItemRow.identifierCount)
    let identifier = (0..<random.count).map { random.bytes[$0] }
    attributes.identifier = ItemRow.text(of: identifier)

    let sealed = try enclave.seal(
      attributes, request.secret.bytes, identifier: identifier, in: attributes.group)
    try store.insert(NewRow(identifier: identifier, attributes: attributes, sealed: sealed))
    return ItemAdded(attributes: attributes).encoded()
  }
}
