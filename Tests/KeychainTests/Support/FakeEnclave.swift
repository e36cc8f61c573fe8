import Protocol

/// Plays the enclave: seals and opens by ``ToySeal``, knows open and closed classes and the
/// evidence of contexts.
final class FakeEnclave {
  var isLocked = false
  var isFirstUnlocked = true
  var isPasscodeSet = true
  /// Whether an old copy of its keybag was put back, so that it lacks the keys of what was sealed.
  var isRolledBack = false
  /// Whether other fingers are enrolled than those that items were sealed with.
  var haveFingersChanged = false
  /// The context of the request under way, as the core would say.
  var context: UInt64 = 1
  /// What each context has proved.
  var evidence: [UInt64: EvidenceSet] = [:]
  /// The place of the next record of a backup, or nil.
  var nextRecord: UInt64? = 0
  /// Answers in place of the enclave if it returns something.
  var intrusion: (([UInt8]) -> [UInt8]?)?
  /// Called before each answer.
  var beforeAnswer: ((UInt8) -> Void)?
  /// Whether it knows of a keychain.
  var hasKeychain = false
  /// Called when it learns of a keychain.
  var onKeychain: (() -> Void)?
  /// How many messages of each number came.
  private(set) var counts: [UInt8: Int] = [:]

  private(set) var attributeSeal = ToySeal(key: 1)
  private(set) var secretSeal = ToySeal(key: 2)
  private var indexSeal = ToySeal(key: 3)
  private var keySeal = ToySeal(key: 4)
  private(set) var certificateSeal = ToySeal(key: 5)
  private var madeKeys: UInt8 = 0

  /// Its keys are destroyed and made anew, as after too many wrong passcodes. What it sealed before
  /// is damaged from there on.
  func erase() {
    hasKeychain = false
    attributeSeal = ToySeal(key: attributeSeal.key + 100)
    secretSeal = ToySeal(key: secretSeal.key + 100)
    indexSeal = ToySeal(key: indexSeal.key + 100)
    keySeal = ToySeal(key: keySeal.key + 100)
    certificateSeal = ToySeal(key: certificateSeal.key + 100)
  }

  func isOpen(_ accessibility: Accessibility) -> Bool {
    switch accessibility {
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: isFirstUnlocked
    case .whenUnlocked, .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly: !isLocked
    }
  }

  func answer(_ request: [UInt8]) -> [UInt8] {
    let number = request.first ?? 0
    counts[number, default: 0] += 1
    beforeAnswer?(number)
    if let intrusion, let reply = intrusion(request) { return reply }
    do {
      return bytes(of: try reply(to: request))
    } catch let failure as Failure {
      return bytes(of: failure.encoded())
    } catch {
      return bytes(of: Failure(.engineFailed, "\(error)").encoded())
    }
  }

  private func reply(to request: [UInt8]) throws -> SecretBytes {
    switch request.first {
    case SealItem.number: try seal(SealItem(decoding: request.span))
    case SealItems.number: try seal(SealItems(decoding: request.span))
    case OpenItem.number: try open(OpenItem.decode(request.span))
    case ResealItem.number: try reseal(ResealItem.decode(request.span))
    case SealAttributes.number:
      AttributeBatch(
        results: try SealAttributes.decode(request.span).entries.map { entry in
          guard isOpen(entry.accessibility) else { throw closed }
          return .value(attributeSeal.seal(entry.bytes, for: binding(entry)))
        }
      ).encoded()
    case SealCertificates.number:
      AttributeBatch(
        results: try SealCertificates.decode(request.span).entries.map { entry in
          guard isOpen(entry.accessibility) else { throw closed }
          return .value(certificateSeal.seal(entry.bytes, for: binding(entry)))
        }
      ).encoded()
    case OpenCertificates.number:
      AttributeBatch(
        results: try OpenCertificates.decode(request.span).entries.map { entry in
          guard isOpen(entry.accessibility) else { return .closed }
          guard !isRolledBack else { return .newer }
          return certificateSeal.open(entry.bytes, for: binding(entry)).map { .value($0) }
            ?? .damaged
        }
      ).encoded()
    case OpenAttributes.number:
      AttributeBatch(
        results: try OpenAttributes.decode(request.span).entries.map { entry in
          guard isOpen(entry.accessibility) else { return .closed }
          guard !isRolledBack else { return .newer }
          return attributeSeal.open(entry.bytes, for: binding(entry)).map { .value($0) }
            ?? .damaged
        }
      ).encoded()
    case HashAttributes.number:
      AttributeBatch(
        results: try HashAttributes.decode(request.span).values.map {
          .value(indexSeal.hash($0))
        }
      ).encoded()
    case NoteKeychain.number: try note(NoteKeychain.decode(request.span))
    case GenerateKey.number: try generate(GenerateKey.decode(request.span))
    case UseSealedKey.number: try use(UseSealedKey.decode(request.span))
    case RequirePresence.number: try requirePresence()
    case OpenItemWithAttributes.number: try openWhole(OpenItemWithAttributes.decode(request.span))
    case SealForBackup.number: try sealForBackup(SealForBackup.decode(request.span))
    case OpenFromBackup.number: try openFromBackup(OpenFromBackup.decode(request.span))
    case SealFromBackup.number: try sealFromBackup(SealFromBackup.decode(request.span))
    case OpenBackupEnd.number: try openBackupEnd(OpenBackupEnd.decode(request.span))
    default: throw Failure(.engineFailed, "not for a keychain")
    }
  }

  private func note(_ request: NoteKeychain) -> SecretBytes {
    defer { if request.mark != .asked { hasKeychain = request.mark == .begun } }
    if request.mark == .begun, !hasKeychain { onKeychain?() }
    return KeychainNoted(existed: hasKeychain).encoded()
  }

  private func openWhole(_ request: OpenItemWithAttributes) throws -> SecretBytes {
    let entry = request.attributes
    let opened = attributeSeal.open(entry.bytes, for: binding(entry))
    let result: AttributeBatch.Result =
      !isOpen(entry.accessibility)
      ? .closed : isRolledBack ? .newer : opened.map { .value($0) } ?? .damaged
    let item = answer(bytes(of: request.item.encoded()))
    return OpenedItemWithAttributes(attributes: result, itemReply: SecretBytes(copying: item.span))
      .encoded()
  }

  private func seal(_ request: SealItem) throws -> SecretBytes {
    let hashes = request.names.map { indexSeal.hash($0) }
    let protection = ItemProtection(
      accessibility: request.protection.accessibility,
      accessControl: request.protection.accessControl,
      identity: request.protection.identity + (hashes.first ?? []))
    guard isOpen(protection.accessibility) else { throw closed }
    if protection.accessControl != nil, !isPasscodeSet {
      throw Failure(.passcodeNotSet, "no passcode is set")
    }
    let entry = AttributesEntry(
      accessibility: protection.accessibility, identity: protection.identity, bytes: [])
    return SealedItem(
      hashes: hashes, attributes: attributeSeal.seal(request.attributes, for: binding(entry)),
      sealedSecret: secretSeal.seal(
        request.secret.indices.map { request.secret[$0] }, for: binding(protection))
    ).encoded()
  }

  private func seal(_ request: SealItems) throws -> SecretBytes {
    var secrets = request.secrets.indices.map { request.secrets[$0] }[...]
    var results: [SealedItems.Result] = []
    for item in request.items {
      let secret = Array(secrets.prefix(Int(item.secretCount)))
      secrets = secrets.dropFirst(secret.count)
      do {
        let reply = try seal(
          SealItem(
            protection: item.protection, names: item.names, attributes: item.attributes,
            secret: secret.span))
        results.append(.sealed(try SealedItem.decode(reply.bytes)))
      } catch let failure as Failure {
        results.append(.failed(failure))
      }
    }
    return SealedItems(hashes: request.names.map { indexSeal.hash($0) }, results: results).encoded()
  }

  private func open(_ request: OpenItem) throws -> SecretBytes {
    guard isOpen(request.protection.accessibility) else { throw closed }
    guard !isRolledBack else { throw Failure(.stateDamaged, "the keybag is old") }
    guard let plain = secretSeal.open(request.sealed, for: binding(request.protection)) else {
      throw Failure(.errSecDecode, "the item is damaged")
    }
    let held = evidence[context] ?? []
    if let control = request.protection.accessControl, !control.isSatisfied(by: held) {
      return EvidenceNeeded(accessControl: control, held: held).encoded()
    }
    if request.onlyAuthorize { return Done().encoded() }
    return OpenedItem(secret: SecretBytes(copying: plain.span)).encoded()
  }

  private func requirePresence() throws -> SecretBytes {
    let presence = try AccessControl(.presence)
    let held = evidence[context] ?? []
    return !isPasscodeSet || presence.isSatisfied(by: held)
      ? Done().encoded() : EvidenceNeeded(accessControl: presence, held: held).encoded()
  }

  private func reseal(_ request: ResealItem) throws -> SecretBytes {
    let opened = bytes(
      of: try open(OpenItem(protection: request.protection, sealed: request.sealed)))
    guard opened.first == OpenedItem.number else { return SecretBytes(copying: opened.span) }
    let secret = try OpenedItem.decode(opened.span).secret
    return try seal(
      SealItem(
        protection: request.replacement, names: request.names, attributes: request.attributes,
        secret: secret.bytes))
  }

  private func generate(_ request: GenerateKey) throws -> SecretBytes {
    guard isOpen(request.protection.accessibility) else { throw closed }
    madeKeys += 1
    return GeneratedKey(
      publicKey: [4, madeKeys] + [UInt8](repeating: 5, count: 63),
      sealed: keySeal.seal([madeKeys], for: binding(request.protection))
    ).encoded()
  }

  /// Using a key gives its number, the operation and the input.
  private func use(_ request: UseSealedKey) throws -> SecretBytes {
    guard isOpen(request.protection.accessibility) else { throw closed }
    guard !isRolledBack else { throw Failure(.stateDamaged, "the keybag is old") }
    guard let key = keySeal.open(request.sealed, for: binding(request.protection)) else {
      throw Failure(.errSecDecode, "the key is damaged")
    }
    let held = evidence[context] ?? []
    if let control = request.protection.accessControl, !control.isSatisfied(by: held) {
      return EvidenceNeeded(accessControl: control, held: held).encoded()
    }
    let output = key + [request.operation.rawValue] + request.input
    return KeyUsed(output: SecretBytes(copying: output.span)).encoded()
  }

  private var closed: Failure { Failure(.errSecInteractionNotAllowed, "the class is closed") }

  func binding(_ entry: AttributesEntry) -> [UInt8] {
    [entry.accessibility.rawValue] + entry.identity
  }

  func binding(_ protection: ItemProtection) -> [UInt8] {
    var encoder = WireEncoder()
    protection.encode(into: &encoder)
    return bytes(of: encoder.finish())
  }
}

/// The bytes of a reply; a test may look at them.
func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
  (0..<secret.count).map { secret.bytes[$0] }
}
