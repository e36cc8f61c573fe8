import Protocol

/// A record here is its place, accessibility, attributes and content, in the clear, and a digest.
extension FakeEnclave {
  private var recordSeal: ToySeal { ToySeal(key: 99) }

  func sealForBackup(_ request: SealForBackup) throws -> SecretBytes {
    guard var place = nextRecord else { throw noBackup }
    let held = evidence[context] ?? []
    let presence = try AccessControl(.presence)
    guard presence.isSatisfied(by: held) else {
      return EvidenceNeeded(accessControl: presence, held: held).encoded()
    }
    for item in request.items {
      let protection = item.protection
      let isGuarded = item.kind == .guarded
      guard isGuarded == (protection.accessControl != nil),
        isGuarded || !protection.accessibility.isThisDeviceOnly
      else { throw Failure(.errSecParam, "it stays on its device") }
      if let control = protection.accessControl, !control.isSatisfied(by: held) {
        return EvidenceNeeded(accessControl: control, held: held).encoded()
      }
    }
    let results = request.items.map { item -> AttributeBatch.Result in
      let entry = AttributesEntry(
        accessibility: item.protection.accessibility, identity: item.protection.identity, bytes: [])
      guard !isRolledBack else { return .newer }
      if haveFingersChanged, item.protection.accessControl?.requiresCurrentSet == true {
        return .closed
      }
      let opened =
        switch item.kind {
        case .secret, .guarded: secretSeal.open(item.content, for: binding(item.protection))
        case .certificate: certificateSeal.open(item.content, for: binding(entry))
        }
      guard let attributes = attributeSeal.open(item.attributes, for: binding(entry)),
        let content = opened
      else { return .damaged }
      defer { place += 1 }
      var encoder = WireEncoder()
      encoder.write(item.protection.accessibility, attributes, content)
      return .value(recordSeal.seal(encoder.finishPlain(), for: [item.kind.rawValue] + place.bytes))
    }
    nextRecord = place
    return AttributeBatch(results: results).encoded()
  }

  /// What lies in a record.
  private struct Opened {
    let accessibility: Accessibility
    let attributes: [UInt8]
    let content: [UInt8]
  }

  private func open(_ record: SealedRecord, at place: UInt64) throws -> Opened {
    guard nextRecord != nil else { throw noBackup }
    let binding = [record.kind.rawValue] + place.bytes
    guard let plain = recordSeal.open(record.bytes, for: binding) else { throw damaged }
    var decoder = WireDecoder(plain.span)
    let (accessibility, attributes, content): (Accessibility, [UInt8], [UInt8]) = try decoder.read()
    return Opened(accessibility: accessibility, attributes: attributes, content: content)
  }

  func openFromBackup(_ request: OpenFromBackup) throws -> SecretBytes {
    OpenedFromBackup(
      items: try request.records.enumerated().map {
        let opened = try open($1, at: request.first + UInt64($0))
        return OpenedFromBackup.Item(
          attributes: opened.attributes,
          certificate: $1.kind == .certificate ? opened.content : nil)
      }
    ).encoded()
  }

  func sealFromBackup(_ request: SealFromBackup) throws -> SecretBytes {
    SealedFromBackup(
      items: try request.entries.map { entry in
        let opened = try open(entry.record, at: entry.number)
        guard opened.accessibility == entry.protection.accessibility,
          (entry.protection.accessControl != nil) == (entry.record.kind == .guarded)
        else { throw Failure(.errSecParam, "another class") }
        let own = AttributesEntry(
          accessibility: opened.accessibility, identity: entry.protection.identity, bytes: [])
        return SealedFromBackup.Item(
          attributes: attributeSeal.seal(entry.attributes, for: binding(own)),
          content: entry.record.kind == .certificate
            ? certificateSeal.seal(opened.content, for: binding(own))
            : secretSeal.seal(opened.content, for: binding(entry.protection)))
      }
    ).encoded()
  }

  func openBackupEnd(_ request: OpenBackupEnd) throws -> SecretBytes {
    guard request.record == Self.end(of: request.place) else { throw damaged }
    return BackupSummary(
      counts: BackupCounts(items: request.place, leftOut: 0, unreadable: 0)
    ).encoded()
  }

  /// The last record of a backup of so many items.
  static func end(of count: UInt64) -> [UInt8] { [0xED] + count.bytes }

  /// A record that some backup holds.
  func record(of item: ItemAttributes, secret: String, at place: UInt64) -> SealedRecord {
    record(of: item, .secret, Array(secret.utf8), at: place)
  }

  func record(
    of item: ItemAttributes, _ kind: PortableKind, _ content: [UInt8], at place: UInt64
  ) -> SealedRecord {
    var attributes = WireEncoder()
    attributes.write(UInt8(2), item)
    var encoder = WireEncoder()
    encoder.write(item.accessibility, attributes.finishPlain(), content)
    return SealedRecord(
      kind, recordSeal.seal(encoder.finishPlain(), for: [kind.rawValue] + place.bytes))
  }

  private var noBackup: Failure { Failure(.invalidContext, "no backup has begun") }
  private var damaged: Failure { Failure(.backupDamaged, "a record is damaged") }
}

extension UInt64 {
  fileprivate var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}

/// A reversible scrambling that notices changes: what a test needs of sealing, and no cryptography.
struct ToySeal {
  let key: UInt64

  /// FNV-1a over several byte strings.
  func digest(_ parts: [[UInt8]]) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ key
    for part in parts {
      for byte in part + [UInt8(truncatingIfNeeded: part.count), 0xA5] {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
    }
    return hash
  }

  func seal(_ plain: [UInt8], for binding: [UInt8]) -> [UInt8] {
    bytes(of: digest([plain, binding])) + scrambled(plain, for: binding)
  }

  func open(_ sealed: [UInt8], for binding: [UInt8]) -> [UInt8]? {
    guard sealed.count >= 8 else { return nil }
    let plain = scrambled(Array(sealed.dropFirst(8)), for: binding)
    return bytes(of: digest([plain, binding])) == Array(sealed.prefix(8)) ? plain : nil
  }

  /// 32 bytes that a value always gives.
  func hash(_ value: [UInt8]) -> [UInt8] {
    (UInt8(0)..<4).flatMap { bytes(of: digest([value, [$0]])) }
  }

  private func scrambled(_ bytes: [UInt8], for binding: [UInt8]) -> [UInt8] {
    var state = digest([binding]) | 1
    return bytes.map { byte in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return byte ^ UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  private func bytes(of value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
