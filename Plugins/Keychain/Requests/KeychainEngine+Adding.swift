import EngineKit
import Wire

extension KeychainEngine {
  /// ``AddItem``: sealed by one message to the enclave, then written in one transaction. Nothing is
  /// stored before that. The database itself refuses a second item of one name.
  func add(
    _ request: consuming AddItem, for application: String
  ) throws(Failure) -> SecretBytes {
    var attributes = request.attributes
    try Self.requireSupported(attributes.itemClass)
    if attributes.accessControl != nil {
      attributes.accessibility = attributes.accessibility.onThisDeviceOnly
    }
    attributes.createdAt = services.wallClock
    attributes.modifiedAt = attributes.createdAt

    let random = try services.random(count: ItemRow.identifierCount)
    let identifier = (0..<random.count).map { random.bytes[$0] }
    attributes.identifier = ItemRow.text(of: identifier)

    let sealed = try enclave.seal(
      attributes, request.secret.bytes, identifier: identifier, in: application)
    try store.insert(NewRow(identifier: identifier, attributes: attributes, sealed: sealed))
    return ItemAdded(attributes: attributes).encoded()
  }

  /// Generic passwords are the one class there is.
  static func requireSupported(_ itemClass: ItemClass?) throws(Failure) {
    guard let itemClass, itemClass != .generic else { return }
    throw Failure(
      .unsupported, "items of class \(itemClass.name) are not supported",
      hint: "use the class generic")
  }
}
