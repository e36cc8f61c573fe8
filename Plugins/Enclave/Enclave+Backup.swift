import BackupFormat
import Cryptography
import Protocol

struct BackupSession: Sendable {
  let use: BackupUse
  /// Whether items behind an access control may leave.
  let includesGuarded: Bool
  /// Wiped when the session is dropped.
  let cipher: BackupCipher
  /// The place of the next record.
  private(set) var sealedCount: UInt64 = 0

  /// Seals an opened item as the next record.
  mutating func seal(
    _ item: StoredItemEntry, _ attributes: [UInt8], _ content: Span<UInt8>
  ) throws(Failure) -> SealedRecord {
    let place = sealedCount
    let cipher = cipher
    let record = try cryptographic(
      try cipher.sealItem(
        item.kind, item.protection.accessibility, item.protection.accessControl,
        attributes: attributes, content: content, as: place))
    sealedCount += 1
    return record
  }
}

/// Items that leave in a backup (K7) and come back. The enclave decides what may leave (A9),
/// whatever keychain and core say.
extension Enclave {
  /// - Returns: ``Protocol/Done``, or the evidence missing before items may leave.
  func takeBackupKey(
    _ message: consuming GiveBackupKey, in context: ContextName
  ) throws(Failure) -> SecretBytes {
    try context.requester.requireOwnersCommand(for: .backups)
    try evidence.require(context)
    guard keys.isUnlocked else { throw .closedDevice }
    let (use, header, includesGuarded) = (message.use, message.header, message.includesGuarded)
    if use == .create, let needed = try missingPresence(in: context) { return needed.encoded() }
    let key: SymmetricKey
    do throws(CryptographyError) {
      key = try SymmetricKey(message.takeKey())
    } catch {
      throw .cryptographyFailed(error)
    }
    evidence.begin(
      BackupSession(
        use: use, includesGuarded: includesGuarded, cipher: BackupCipher(key: key, header: header)),
      in: context)
    return Done().encoded()
  }

  /// - Returns: an ``Protocol/AttributeBatch``, or the evidence that is missing.
  func sealForBackup(
    _ request: SealForBackup, in context: ContextName
  ) throws(Failure) -> SecretBytes {
    var session = try session(.create, in: context)
    if let needed = try missingPresence(in: context) { return needed.encoded() }
    for item in request.items {
      guard item.protection.mayLeave(as: item.kind, session) else { throw .staysOnDevice }
    }
    let attributes = keys.openAttributes(
      request.items.map {
        AttributesEntry($0.protection, bytes: $0.attributes)
      })
    var records: [AttributeBatch.Result] = []
    var size = 64
    for (item, result) in zip(request.items, attributes.results) {
      switch try sealForBackup(item, result, &session, context) {
      // Drops the records before it: the session is not kept.
      case .needed(let needed): return needed.encoded()
      case .done(let record):
        if case .value(let bytes) = record { size += bytes.count + 5 }
        records.append(record)
      }
    }
    evidence.begin(session, in: context)
    return AttributeBatch(results: records).encoded(capacity: size)
  }

  private enum Sealing {
    case done(AttributeBatch.Result)
    case needed(EvidenceNeeded)
  }

  private func sealForBackup(
    _ item: StoredItemEntry, _ opened: AttributeBatch.Result, _ session: inout BackupSession,
    _ context: ContextName
  ) throws(Failure) -> Sealing {
    guard case .value(let attributes) = opened else {
      if opened == .closed { throw .closedDevice }
      return .done(opened)
    }
    let record: SealedRecord
    do throws(Failure) {
      switch item.kind {
      case .secret, .guarded:
        switch try authorize(
          SealedSecret(purpose: .item, protection: item.protection, sealed: item.content),
          in: context)
        {
        case .needed(let needed):
          guard item.kind == .guarded else { throw .staysOnDevice }
          return .needed(needed)
        case .granted(let authorized):
          let secret = try authorized.open()
          record = try session.seal(item, attributes, secret.bytes)
        }
      case .certificate:
        let entry = AttributesEntry(item.protection, bytes: item.content)
        let result = keys.openAttributes([entry], as: .certificate).results[0]
        guard case .value(let certificate) = result else { return .done(result) }
        record = try session.seal(item, attributes, certificate.span)
      }
      return .done(.value(record.bytes))
    } catch {
      switch error.code {
      case .errSecDecode: return .done(.damaged)
      case .stateDamaged: return .done(.newer)
      case _ where error == .fingersChanged: return .done(.closed)
      default: throw error
      }
    }
  }

  /// Seals the last record and forgets the backup's key.
  func endBackup(_ request: EndBackup, in context: ContextName) throws(Failure) -> BackupEnded {
    let session = try session(.create, in: context)
    let counts = BackupCounts(
      items: session.sealedCount, leftOut: request.leftOut, unreadable: request.unreadable)
    let record = try cryptographic(try session.cipher.sealEnd(counts))
    evidence.endBackup(in: context)
    return BackupEnded(record: record)
  }

  // MARK: Coming back

  /// The attributes of records and the certificates in them, but no secret.
  func openFromBackup(
    _ request: OpenFromBackup, in context: ContextName
  ) throws(Failure) -> OpenedFromBackup {
    let session = try session(.restore, in: context)
    var items: [OpenedFromBackup.Item] = []
    for (index, record) in request.records.enumerated() {
      let item = try session.cipher.openItem(record, as: request.first &+ UInt64(index))
      let certificate: [UInt8]? =
        switch record.kind {
        case .secret, .guarded: nil
        case .certificate: item.copyOfContent()
        }
      items.append(OpenedFromBackup.Item(attributes: item.attributes, certificate: certificate))
    }
    return OpenedFromBackup(items: items)
  }

  /// Seals the contents of records for this device.
  func sealFromBackup(
    _ request: SealFromBackup, in context: ContextName
  ) throws(Failure) -> SealedFromBackup {
    let session = try session(.restore, in: context)
    for entry in request.entries {
      guard entry.protection.mayLeave(as: entry.record.kind) else { throw .staysOnDevice }
    }
    let attributes = try keys.sealAttributes(
      request.entries.map {
        AttributesEntry($0.protection, bytes: $0.attributes)
      })
    var items: [SealedFromBackup.Item] = []
    for (entry, attributes) in zip(request.entries, attributes) {
      let item = try session.cipher.openItem(entry.record, as: entry.number)
      guard item.accessibility == entry.protection.accessibility,
        item.accessControl == entry.protection.accessControl
      else { throw .staysOnDevice }
      items.append(
        SealedFromBackup.Item(
          attributes: attributes,
          content: try seal(item, entry.record.kind, under: entry.protection, context)))
    }
    return SealedFromBackup(items: items)
  }

  private func seal(
    _ item: borrowing PortableItem, _ kind: PortableKind, under protection: ItemProtection,
    _ context: ContextName
  ) throws(Failure) -> [UInt8] {
    switch kind {
    case .secret, .guarded:
      return try keys.seal(
        item.content.bytes, as: .item, under: protection,
        with: evidence.appPassword(toSealUnder: protection, in: context))
    case .certificate:
      let entry = AttributesEntry(protection, bytes: item.copyOfContent())
      return try keys.sealAttributes([entry], as: .certificate)[0]
    }
  }

  func openBackupEnd(
    _ request: OpenBackupEnd, in context: ContextName
  ) throws(Failure) -> BackupSummary {
    let session = try session(.restore, in: context)
    return BackupSummary(counts: try session.cipher.openEnd(request.record, as: request.place))
  }

  // MARK: Who may

  /// The backup under way in a context; fails on a locked device.
  private func session(
    _ use: BackupUse, in context: ContextName
  ) throws(Failure) -> BackupSession {
    try context.requester.requireOwnersCommand(for: .backups)
    try evidence.require(context)
    guard keys.isUnlocked else { throw .closedDevice }
    guard let session = evidence.backup(in: context), session.use == use else {
      throw Failure(
        .invalidContext, "no backup has begun in this evidence context",
        hint: "run the command again: authcore backup")
    }
    return session
  }

  private func missingPresence(in context: ContextName) throws(Failure) -> EvidenceNeeded? {
    guard state.isPasscodeSet else { throw .passcodeNotSet }
    let held = evidence.evidenceSet(of: context)
    guard let presence = try? AccessControl(.presence) else { throw .passcodeNotSet }
    return presence.isSatisfied(by: held)
      ? nil : EvidenceNeeded(accessControl: presence, held: held)
  }
}

extension ItemProtection {
  /// Whether an item with this protection may be in a record of a kind (A9). To leave, a guarded
  /// item also needs a session that allows it.
  fileprivate func mayLeave(as kind: PortableKind, _ session: BackupSession? = nil) -> Bool {
    guard kind == .guarded else { return accessControl == nil && !accessibility.isThisDeviceOnly }
    return accessControl != nil && session?.includesGuarded != false
  }
}

extension Failure {
  fileprivate static var closedDevice: Failure {
    Failure(
      .errSecInteractionNotAllowed,
      "the device is locked, and items leave or come back only while it is not",
      hint: "unlock the device: authcore unlock")
  }

  fileprivate static var staysOnDevice: Failure {
    Failure(
      .errSecParam, "an item that stays on its device was to leave it, or to come from elsewhere",
      hint: "core, keychain and enclave are of different versions, or one of them is faulty")
  }
}
