import CoreClient
import Protocol

extension GuidedSession {
  /// The sixth touch of the built-in tape is somebody else's.
  func refuseStranger(_ knowsPasscode: Bool) throws(Failure) {
    try step("stranger") { () throws(Failure) in
      let reply = try session.test(options("A stranger's finger", knowsPasscode))
      guard !reply.isMatch else {
        throw Failure(
          .engineFailed, "The enclave took a stranger's finger for the owner's",
          hint: "This must not happen: do not use this enclave.")
      }
      return .init("a stranger's finger is refused (\(reply.comparison))")
    }
  }

  func acceptOwner(_ knowsPasscode: Bool) throws(Failure) {
    try step("owner") { () throws(Failure) in
      let reply: Evaluated = try session.request(
        Evaluate(
          policy: .owner, reuseSeconds: 0,
          options: options("Show that it is you", knowsPasscode)))
      let proof = reply.finger.map { "finger is accepted (\($0.printable))" }
      return .init("the owner's " + (proof ?? "passcode is accepted"))
    }
  }

  private static var service: String { "authcore guided session" }

  /// Adds an item that only the current set of fingers opens, opens it with one, and takes it away
  /// again.
  func openItem(_ knowsPasscode: Bool) throws(Failure) {
    var query = ItemQuery()
    query.service = Self.service
    try removeItem(query)
    let secret = SecretBytes(copying: Array("a secret that a finger releases".utf8).span)
    let message = AddItem(attributes: try Self.attributes(), secret: secret.duplicate())
    try step("add") { () throws(Failure) in
      let _: ItemAdded = try session.ask(message)
      return .init("an item is added that opens with biometry-current alone")
    }
    try step("open") { () throws(Failure) in
      let reply: GotItem = try session.ask(
        GetItem(query: query), options("Open the item", knowsPasscode))
      guard reply.secret.isEqual(to: secret.bytes) else {
        throw Failure(.engineFailed, "The item that was opened holds another secret")
      }
      return .init("the item is opened by touch")
    }
    try removeItem(query)
  }

  private func removeItem(_ query: ItemQuery) throws(Failure) {
    do throws(Failure) {
      let _: ItemsChanged = try session.ask(RemoveItems(query: query, allowsSeveral: true))
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
    }
  }

  private static func attributes() throws(Failure) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = service
    do throws(AccessControl.Problem) {
      attributes.accessControl = try AccessControl(.biometryCurrent)
    } catch {
      throw ItemText.failure(error)
    }
    return attributes
  }
}
