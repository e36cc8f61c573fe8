import Cryptography
import Protocol

/// What a sealed secret is. It enters the wrapping key and the authenticated data, so that nothing
/// opens as something else.
enum SealedPurpose: Sendable {
  /// An item's secret leaves the enclave when it is opened.
  case item
  /// A private key never leaves.
  case privateKey

  fileprivate var keyPurpose: KeyPurpose {
    switch self {
    case .item: .items
    case .privateKey: .privateKeys
    }
  }

  fileprivate var name: String {
    switch self {
    case .item: "authcore item 1"
    case .privateKey: "authcore private key 1"
    }
  }
}

/// A sealed secret, with what its keeper says about it.
struct SealedSecret {
  let purpose: SealedPurpose
  let protection: ItemProtection
  /// A ``SealedSecretRecord``, encoded.
  let sealed: [UInt8]

  /// What a proof that opens it is used for.
  var use: ProofUse {
    let isReusable = protection.accessControl?.additions.contains(.reusable) == true
    return purpose == .privateKey && isReusable ? .reusableKey(sealed) : .once
  }
}

enum Authorization: ~Copyable {
  case granted(AuthorizedSecret)
  case needed(EvidenceNeeded)

  var isGranted: Bool {
    switch self {
    case .granted: true
    case .needed: false
    }
  }
}

struct AuthorizedSecret: ~Copyable {
  fileprivate let key: SymmetricKey
  fileprivate let sealed: [UInt8]
  fileprivate let associated: [UInt8]

  func open() throws(Failure) -> SecretBytes {
    do {
      return try PaddedSecret.unpad(
        try AES256GCM.open(sealed, with: key, authenticating: associated))
    } catch {
      throw .damagedItem
    }
  }
}

extension KeyRing {
  /// Seals a secret so that only this enclave opens it, under this protection and for this purpose
  /// (E1, E4). Its length shows in steps of 32 bytes. `appPassword` enters the key if the protection
  /// asks for one.
  /// - Returns: bytes that may be kept anywhere.
  /// - Throws: `passcodeNotSet`, `biometryNotEnrolled`, `errSecInteractionNotAllowed` if the class
  ///   is closed, `errSecParam` for an impossible protection or a missing password.
  func seal(
    _ secret: Span<UInt8>, as purpose: SealedPurpose, under protection: ItemProtection,
    with appPassword: HeldSecret?
  ) throws(Failure) -> [UInt8] {
    try checkSealing(purpose, protection)
    let needsPassword = protection.accessControl?.needsAppPassword == true
    guard appPassword != nil || !needsPassword else { throw .appPasswordNotGiven }
    try prepareSealing()
    let boundTo = protection.accessControl?.namesCurrentSet == true ? state.domainState : []
    let record =
      needsPassword
      ? AppPasswordRecord(
        cost: appPasswordCost,
        salt: try state.platform.randomOpenBytes(count: AppPasswordRecord.saltSize)) : nil
    let associated = Self.associated(purpose, protection, boundTo, record)
    let classKey = try sealingKey(protection.accessibility)
    let wrappingKey = try wrappingKey(for: purpose, protection, classKey.held)
    let ownKey = try state.platform.randomKey()
    let padding = PaddedSecret.around(count: secret.count)
    let wrappedKey =
      if let record, let appPassword {
        try cryptographic(
          try record.wrap(ownKey, with: appPassword, within: wrappingKey, for: associated))
      } else {
        try cryptographic(try wrappingKey.wrapping(ownKey, for: associated))
      }
    return try cryptographic(
      SealedSecretRecord(
        mark: classKey.mark, domainState: boundTo, appPassword: record, wrappedKey: wrappedKey,
        sealedSecret: try AES256GCM.seal(
          secret, between: padding.head, padding.end, with: ownKey, authenticating: associated)
      ).encoded())
  }

  /// Checks if the evidence opens a sealed secret.
  /// - Throws: `errSecInteractionNotAllowed` if the class is closed, `errSecDecode` for damage or a
  ///   lost key, `errSecAuthFailed` if its set of fingers is gone or the application password is
  ///   wrong, `stateDamaged` if it was sealed beside a later keybag.
  func authorize(
    _ secret: SealedSecret, by proved: ProvedEvidence
  ) throws(Failure) -> Authorization {
    let protection = secret.protection
    let record = try Self.record(of: secret)
    let origin = record.mark.isEmpty ? .unmarked : try origin(of: record.mark)
    guard record.mark.isEmpty || origin != .unmarked else { throw .damagedItem }
    let wrappingKey = try wrappingKey(
      for: secret.purpose, protection, classKey(protection.accessibility, of: origin))
    if protection.accessControl?.requiresCurrentSet == true,
      record.domainState != state.domainState
    {
      throw .fingersChanged
    }
    let associated = Self.associated(
      secret.purpose, protection, record.domainState, record.appPassword)
    let unwrapped: SecretBytes
    do throws(CryptographyError) {
      unwrapped = try AES256GCM.open(
        record.wrappedKey, with: wrappingKey, authenticating: associated)
    } catch {
      throw .damagedItem
    }
    if let needed = missingEvidence(for: protection, record, proved.set) {
      return .needed(needed)
    }
    guard let password = record.appPassword else {
      return .granted(try Self.authorized(unwrapped, record, associated))
    }
    guard let given = proved.appPassword else { throw .damagedItem }
    let ownKey = try password.unwrap(unwrapped, with: given, within: wrappingKey, for: associated)
    return .granted(try Self.authorized(ownKey, record, associated))
  }

  private static func authorized(
    _ key: consuming SecretBytes, _ record: SealedSecretRecord, _ associated: [UInt8]
  ) throws(Failure) -> AuthorizedSecret {
    do throws(CryptographyError) {
      return AuthorizedSecret(
        key: try SymmetricKey(key), sealed: record.sealedSecret, associated: associated)
    } catch {
      throw .damagedItem
    }
  }

  /// How the application password of a secret is stretched; nil if it needs none. Only its keys
  /// tell whether these bytes are genuine.
  func appPassword(of secret: SealedSecret) throws(Failure) -> AppPasswordRecord? {
    guard secret.protection.accessControl?.needsAppPassword == true else { return nil }
    return try Self.record(of: secret).appPassword
  }

  private static func record(of secret: SealedSecret) throws(Failure) -> SealedSecretRecord {
    let record: SealedSecretRecord
    do throws(DecodeError) {
      record = try SealedSecretRecord(decoding: secret.sealed)
    } catch {
      throw .damagedItem
    }
    let needsPassword = secret.protection.accessControl?.needsAppPassword == true
    guard needsPassword == (record.appPassword != nil) else { throw .damagedItem }
    return record
  }

  /// The missing evidence, or nil. Asks only for what can be proved: not for a set of fingers that
  /// is gone.
  private func missingEvidence(
    for protection: ItemProtection, _ record: SealedSecretRecord, _ proved: EvidenceSet
  ) -> EvidenceNeeded? {
    guard var control = protection.accessControl else { return nil }
    if control.namesCurrentSet, record.domainState != state.domainState,
      let rest = control.removing(.biometryCurrent)
    {
      control = rest
    }
    return control.isSatisfied(by: proved)
      ? nil
      : EvidenceNeeded(accessControl: control, held: proved, identity: protection.identity)
  }

  private func checkSealing(
    _ purpose: SealedPurpose, _ protection: ItemProtection
  ) throws(Failure) {
    let needsPasscode =
      protection.accessControl != nil || protection.accessibility == .whenPasscodeSetThisDeviceOnly
    if needsPasscode, !state.isPasscodeSet { throw .passcodeNotSet }
    guard let control = protection.accessControl else { return }
    guard protection.accessibility.isThisDeviceOnly else {
      throw Failure(
        .errSecParam, "an item with access control must not leave this device",
        hint: "use an accessibility class that ends in this-device-only")
    }
    guard purpose == .privateKey || !control.additions.contains(.privateKeyUsage) else {
      throw Failure(
        .errSecParam, "privateKeyUsage guards the uses of a private key, and an item has none",
        hint: "leave it out")
    }
    guard isUnlocked else { throw .closedClass }
    guard !control.namesBiometry || !state.keybag.fingers.isEmpty else { throw .notEnrolled }
  }

  /// The key that wraps the keys of secrets under one protection, made of all keys that the
  /// protection needs.
  private func wrappingKey(
    for purpose: SealedPurpose, _ protection: ItemProtection, _ classKey: HeldKey
  ) throws(Failure) -> SymmetricKey {
    guard let control = protection.accessControl else {
      return try cryptographic(try classKey.key.derivedKey(for: purpose.keyPurpose))
    }
    guard let accessKey = held.accessControl else { throw .damagedItem }
    let combined = try cryptographic(
      try SymmetricKey.combining(
        classKey.key.bytes, accessKey.key.bytes, for: purpose.keyPurpose))
    guard control.requiresCurrentSet else { return combined }
    guard let set = state.keybag.fingerSet else { throw .fingersChanged }
    return try cryptographic(
      try SymmetricKey.combining(combined.bytes, set.key.bytes, for: purpose.keyPurpose))
  }

  private static func associated(
    _ purpose: SealedPurpose, _ protection: ItemProtection, _ domainState: [UInt8],
    _ appPassword: AppPasswordRecord?
  ) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeText(purpose.name)
    protection.encode(into: &encoder)
    encoder.writeBytes(domainState)
    appPassword?.encode(into: &encoder)
    return encoder.finishPlain()
  }
}

extension AccessControl {
  fileprivate var namesBiometry: Bool {
    !constraints.isDisjoint(with: [.biometryAny, .biometryCurrent])
  }
}
