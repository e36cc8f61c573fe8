import DBus
package import Protocol

/// Gives everything of the session's Secret Service to a receiver.
package struct SecretServiceImport {
  private let client: SecretServiceClient

  /// - Parameter address: of the bus; nil: that of the session.
  /// - Throws: `errSecNotAvailable` where no such service runs.
  package init(at address: String? = nil) throws(Failure) {
    client = try SecretServiceClient(at: address)
  }

  /// Reads collection after collection; one that is locked is unlocked, for which the service asks
  /// the person. What stays locked is left out.
  /// - Throws: `errSecNotAvailable` where the service does not answer, and what the receiver
  ///   throws.
  package func readItems(to receiver: any ImportReceiver) throws(Failure) {
    let collections: [SecretServiceClient.Collection]
    do throws(BusError) {
      collections = try client.collections()
    } catch {
      throw SecretServiceClient.failure(error)
    }
    for collection in collections where unlock(collection, receiver) {
      for path in collection.items { try read(path, in: collection, receiver) }
    }
  }

  /// - Returns: whether its items can be read.
  private func unlock(
    _ collection: SecretServiceClient.Collection, _ receiver: any ImportReceiver
  ) -> Bool {
    guard collection.isLocked else { return true }
    let reason: String
    do throws(BusError) {
      if try client.unlock([collection.path]) { return true }
      reason = "it is locked, and was not unlocked"
    } catch {
      reason = "it is locked, and cannot be unlocked: \(error.reason)"
    }
    receiver.skip(SkippedEntry(origin: Self.name(of: collection), reason: reason))
    return false
  }

  private static func name(of collection: SecretServiceClient.Collection) -> String {
    collection.label.isEmpty ? collection.path : collection.label
  }

  private func read(
    _ path: String, in collection: SecretServiceClient.Collection, _ receiver: any ImportReceiver
  ) throws(Failure) {
    var origin = "\(Self.name(of: collection)): \(path)"
    let item: StoredSecret
    do throws(BusError) {
      let description = try client.describe(item: path)
      origin = "\(Self.name(of: collection)): \(description.label)"
      item = StoredSecret(
        label: description.label, attributes: description.attributes,
        secret: try client.secret(ofItem: path), origin: origin)
    } catch {
      return receiver.skip(SkippedEntry(origin: origin, reason: error.reason))
    }
    try item.give(to: receiver)
  }
}
