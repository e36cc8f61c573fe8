// What the owner's own programs ask of the keychain about the applications that keep something in it.

/// Lists the applications whose items and keys there are, as far as they are open. Groups that
/// applications name are none. Reply: ``FoundApplications``. Failures: `errSecMissingEntitlement` for a
/// program that is not the owner's own (the command, the settings), `errSecInteractionNotAllowed` while
/// the device is locked and nothing is open.
package struct FindApplications: EngineMessage, Equatable {
  package static var number: UInt8 { 155 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { FoundApplications.number }
  package init() {}
  package borrowing func encode(into encoder: inout WireEncoder) {}
  package init(from decoder: inout WireDecoder) throws(DecodeError) {}
}

/// The applications that keep something in the keychain, by name.
package struct FoundApplications: WireMessage, Equatable {
  package static var number: UInt8 { 156 }
  package let applications: [ApplicationHoldings]
  package init(applications: [ApplicationHoldings]) { self.applications = applications }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(applications) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    applications = try decoder.read()
  }
}

/// What an application has in the keychain.
package struct ApplicationHoldings: Equatable, WireField {
  /// As the core names it.
  package let application: String
  /// Items in its own group.
  package let items: UInt32
  /// Keys in its own group.
  package let keys: UInt32
  /// Items of others that are shared with it.
  package let shared: UInt32
  package init(application: String, items: UInt32 = 0, keys: UInt32 = 0, shared: UInt32 = 0) {
    self.application = application
    self.items = items
    self.keys = keys
    self.shared = shared
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(application, items, keys, shared)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    (items, keys, shared) = try decoder.read()
  }
}

/// Lists the items in an application's own group, as far as they are open, oldest first: their
/// attributes, and no secret. Reply: ``FoundItems``, whose `next` is no more than whether there are more;
/// or ``EvidenceNeeded`` where a passcode is set. Failures: `errSecMissingEntitlement` as for
/// ``FindApplications``, `errSecParam` where that is no name of an application's, `errSecItemNotFound`
/// where it has none, `errSecInteractionNotAllowed` where none is open.
package struct FindItemsOfApplication: EngineMessage, Equatable {
  package static var number: UInt8 { 158 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { FoundItems.number }
  /// As the core names it.
  package let application: String
  package init(application: String) { self.application = application }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(application) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
  }
}

/// Removes everything that an application has in its own group, and ends what others share with it.
/// Reply: ``ItemsChanged``, of items and keys that are gone and shares that have ended; or
/// ``EvidenceNeeded`` where a passcode is set. Failures: `errSecMissingEntitlement` as for
/// ``FindApplications``, `errSecItemNotFound` where it has nothing,
/// `errSecParam` where that is no name of an application's, `errSecInteractionNotAllowed` while the
/// device is locked, `stateDamaged` where something is newer than the enclave's keybag.
package struct ForgetApplication: EngineMessage, Equatable {
  package static var number: UInt8 { 157 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsChanged.number }
  /// As the core names it.
  package let application: String
  package init(application: String) { self.application = application }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(application) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
  }
}
