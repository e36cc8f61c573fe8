import EngineKit
import Wire

extension KeychainEngine {
  /// ``AddItem``: sealed first, then written in one transaction. The database itself refuses a second item of one name.
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

    let names = try enclave.hashes(of: [attributes], in: application)
    guard let name = names.first else { throw EnclaveLink.mismatch }
    let identity = ItemRow.identity(
      identifier, itemClass: attributes.itemClass, application: name.application)
    let sealedAttributes = try enclave.sealAttributes([(attributes, identity)])
    guard let sealed = sealedAttributes.first else { throw EnclaveLink.mismatch }
    let secret = try enclave.seal(
      request.secret.duplicate(),
      as: ItemProtection(
        accessibility: attributes.accessibility, accessControl: attributes.accessControl,
        identity: identity))
    try store.insert(
      NewRow(
        identifier: identifier, name: name, attributes: attributes, sealedAttributes: sealed,
        sealedSecret: secret))
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
