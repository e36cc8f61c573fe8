import Cryptography
import EngineKit
import Wire

extension KeyRing {
  /// Seals an item: the hashes it is found by, its attributes, and its secret, so that only this
  /// enclave opens it, for this item, under this protection (E1, E4).
  func sealItem(_ item: SealItem) throws(Failure) -> SealedItem {
    let hashes = try hashes(of: item.names)
    let protection = item.protection.identified(by: hashes.first)
    let attributes = try sealAttributes([
      AttributesEntry(
        accessibility: protection.accessibility, identity: protection.identity,
        bytes: item.attributes)
    ])
    guard let attributes = attributes.first else { throw .damagedItem }
    return SealedItem(
      hashes: hashes, attributes: attributes, secret: try sealSecret(item.secret, as: protection))
  }

  private func sealSecret(
    _ secret: Span<UInt8>, as protection: ItemProtection
  ) throws(Failure) -> [UInt8] {
    try checkSealing(protection)
    try prepareSealing()
    let boundTo = protection.accessControl?.namesCurrentSet == true ? state.domainState : []
    let associated = Self.associated(protection, domainState: boundTo)
    let classKey = try sealingKey(protection.accessibility)
    let wrappingKey = try wrappingKey(for: protection, classKey.held)
    let itemKey = try state.platform.randomKey()
    let padding = PaddedSecret.around(count: secret.count)
    return try cryptographic { () throws(CryptographyError) in
      SealedItemRecord(
        mark: classKey.mark, domainState: boundTo,
        wrappedKey: try wrappingKey.wrapping(itemKey, for: associated),
        sealedSecret: try AES256GCM.seal(
          secret, between: padding.head, padding.end, with: itemKey, authenticating: associated)
      ).encoded()
    }
  }

  /// Opens a sealed secret, if what has been proved in the request's context suffices.
  func openItem(_ request: OpenItem, proved: EvidenceSet) throws(Failure) -> ItemAnswer {
    let protection = request.protection
    let record = try undamaged { () throws(DecodeError) in
      try SealedItemRecord(decoding: request.sealed)
    }
    let associated = Self.associated(protection, domainState: record.domainState)
    let origin = record.mark.isEmpty ? .unmarked : try origin(of: record.mark)
    guard record.mark.isEmpty || origin != .unmarked else { throw .damagedItem }
    let wrappingKey = try wrappingKey(
      for: protection, classKey(protection.accessibility, of: origin))
    if protection.accessControl?.requiresCurrentSet == true,
      record.domainState != state.domainState
    {
      throw .fingersChanged
    }
    let itemKey: SymmetricKey
    do throws(CryptographyError) {
      itemKey = try wrappingKey.unwrapping(record.wrappedKey, for: associated)
    } catch {
      throw .damagedItem
    }
    if let needed = missingEvidence(for: protection, record, proved) {
      return .needed(needed)
    }
    if request.onlyAuthorize { return .authorized }
    do {
      let padded = try AES256GCM.open(
        record.sealedSecret, with: itemKey, authenticating: associated)
      return .opened(try PaddedSecret.unpad(padded))
    } catch {
      throw .damagedItem
    }
  }

  /// Opens a secret and the attributes of the same item; neither hinders the other.
  func openItemWithAttributes(
    _ request: OpenItemWithAttributes, proved: Result<EvidenceSet, Failure>
  ) -> OpenedItemWithAttributes {
    let attributes = openAttributes([request.attributes]).results.first ?? .damaged
    do throws(Failure) {
      return OpenedItemWithAttributes(
        attributes: attributes,
        itemReply: try openItem(request.item, proved: proved.get()).encoded())
    } catch {
      return OpenedItemWithAttributes(attributes: attributes, itemReply: error.encoded())
    }
  }

  /// What the context still has to prove, or nil. What is asked for can be fulfilled: a set of
  /// fingers that is no more is left out.
  private func missingEvidence(
    for protection: ItemProtection, _ record: SealedItemRecord, _ proved: EvidenceSet
  ) -> EvidenceNeeded? {
    guard var control = protection.accessControl else { return nil }
    if control.namesCurrentSet, record.domainState != state.domainState,
      let rest = control.removing(.biometryCurrent)
    {
      control = rest
    }
    return control.isSatisfied(by: proved)
      ? nil : EvidenceNeeded(accessControl: control, held: proved)
  }

  private func checkSealing(_ protection: ItemProtection) throws(Failure) {
    let needsPasscode =
      protection.accessControl != nil || protection.accessibility == .whenPasscodeSetThisDeviceOnly
    if needsPasscode, !state.isPasscodeSet { throw .passcodeNotSet }
    if let control = protection.accessControl {
      guard protection.accessibility.isThisDeviceOnly else {
        throw Failure(
          .errSecParam, "an item with access control must not leave this device",
          hint: "use an accessibility class that ends in this-device-only")
      }
      guard isUnlocked else { throw .closedClass }
      guard !control.namesBiometry || !state.keybag.fingers.isEmpty else { throw .notEnrolled }
    }
  }

  /// The key that wraps the keys of items under one protection: made of everything the protection
  /// needs to exist.
  private func wrappingKey(
    for protection: ItemProtection, _ classKey: HeldKey
  ) throws(Failure) -> SymmetricKey {
    guard let control = protection.accessControl else {
      return try cryptographic { () throws(CryptographyError) in
        try classKey.key.derivedKey(for: .items)
      }
    }
    guard let accessKey = held.accessControl else { throw .damagedItem }
    let combined = try cryptographic { () throws(CryptographyError) in
      try SymmetricKey.combining(classKey.key.bytes, accessKey.key.bytes, for: .items)
    }
    guard control.requiresCurrentSet else { return combined }
    guard let set = state.keybag.fingerSet else { throw .fingersChanged }
    return try cryptographic { () throws(CryptographyError) in
      try SymmetricKey.combining(combined.bytes, set.key.bytes, for: .items)
    }
  }

  private static func associated(
    _ protection: ItemProtection, domainState: [UInt8]
  ) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeText("authcore item 1")
    protection.encode(into: &encoder)
    encoder.writeBytes(domainState)
    return encoder.finishPlain()
  }

  private func undamaged<Value>(_ body: () throws(DecodeError) -> Value) throws(Failure) -> Value {
    do throws(DecodeError) {
      return try body()
    } catch {
      throw .damagedItem
    }
  }
}

extension ItemProtection {
  /// The same of the item whose identity ends with `hash`.
  fileprivate func identified(by hash: [UInt8]?) -> ItemProtection {
    ItemProtection(
      accessibility: accessibility, accessControl: accessControl, identity: identity + (hash ?? []))
  }
}

extension AccessControl {
  /// Whether a finger can help.
  fileprivate var namesBiometry: Bool {
    !constraints.isDisjoint(with: [.biometryAny, .biometryCurrent])
  }

  /// Whether the current set of fingers is one of the constraints.
  fileprivate var namesCurrentSet: Bool { constraints.contains(.biometryCurrent) }

  /// Whether nothing opens the item without the set of fingers it was sealed with. A single
  /// constraint is always joined by `and`.
  fileprivate var requiresCurrentSet: Bool { namesCurrentSet && junction == .and }
}
