package import Cryptography
package import Protocol

/// Seals and opens the records of one backup. Each is bound to the header, to its place in the file
/// and to what it is: none can be left out, moved, repeated, or taken from another file.
package final class BackupCipher: Sendable {
  private let key: SymmetricKey
  private let header: [UInt8]

  /// - Parameters:
  ///   - key: ``BackupKeys/records``.
  ///   - header: ``BackupHeader/checksum``.
  package init(key: consuming SymmetricKey, header: [UInt8]) {
    self.key = key
    self.header = header
  }

  /// Seals an item as record `number`, counted from 0; a guarded one has an access control.
  ///
  /// The attributes are the keychain's and mean nothing here; of the content no other copy is made.
  package func sealItem(
    _ kind: PortableKind, _ accessibility: Accessibility, _ accessControl: AccessControl? = nil,
    attributes: [UInt8], content: Span<UInt8>, as number: UInt64
  ) throws(CryptographyError) -> SealedRecord {
    precondition(
      (kind == .guarded) == (accessControl != nil), "a guarded item has an access control")
    let (head, end) = PortableItem.around(
      content: content.count, accessibility: accessibility, accessControl: accessControl,
      attributes: attributes)
    return SealedRecord(
      kind,
      try AES256GCM.seal(
        content, between: head, end, with: key, authenticating: associated(.item(kind), number)))
  }

  /// Opens record `number`.
  /// - Throws: `backupDamaged`.
  package func openItem(_ record: SealedRecord, as number: UInt64) throws(Failure) -> PortableItem {
    let plain = try open(record.bytes, .item(record.kind), number)
    do throws(DecodeError) {
      return try PortableItem(record.kind, plain)
    } catch {
      throw .backupRecordDamaged(number)
    }
  }

  /// Seals the last record.
  package func sealEnd(_ counts: BackupCounts) throws(CryptographyError) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(counts)
    let plain = encoder.finish()
    return try AES256GCM.seal(
      plain.bytes, between: [], RecordPadding.zeros(behind: plain.count), with: key,
      authenticating: associated(.end, counts.items))
  }

  /// Opens the last record, `number`, which says how many there are before it.
  /// - Throws: `backupDamaged`, also where it says another number.
  package func openEnd(_ sealed: [UInt8], as number: UInt64) throws(Failure) -> BackupCounts {
    let plain = try open(sealed, .end, number)
    do throws(DecodeError) {
      var decoder = WireDecoder(plain.bytes)
      let counts: BackupCounts = try decoder.read()
      try RecordPadding.check(plain.bytes, used: plain.count - decoder.remainingCount)
      guard counts.items == number else { throw .invalidValue(field: "items") }
      return counts
    } catch {
      throw .backupRecordDamaged(number)
    }
  }

  private func open(
    _ sealed: [UInt8], _ kind: BackupRecordHead.Kind, _ number: UInt64
  ) throws(Failure) -> SecretBytes {
    guard sealed.count <= kind.limit else { throw .backupRecordDamaged(number) }
    do throws(CryptographyError) {
      return try AES256GCM.open(sealed, with: key, authenticating: associated(kind, number))
    } catch {
      throw .backupRecordDamaged(number)
    }
  }

  private func associated(_ kind: BackupRecordHead.Kind, _ number: UInt64) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(number, kind.number)
    return Array("authcore backup 1 record".utf8) + header + encoder.finishPlain()
  }
}

/// An item outside of any device, as it lies in a record: when it can be reached and what guards it,
/// the keychain's attributes, and its secret or certificate.
package struct PortableItem: ~Copyable, Sendable {
  package let accessibility: Accessibility
  /// That of a guarded item; nil for every other.
  package let accessControl: AccessControl?
  package let attributes: [UInt8]
  package let content: SecretBytes

  /// The most bytes in a record.
  static func longest(_ kind: PortableKind) -> Int {
    RecordPadding.padded(1 + (kind == .guarded ? 2 : 0) + 4 + largestAttributes + 4 + kind.limit)
  }

  /// What lies before and behind a content of `count` bytes.
  static func around(
    content count: Int, accessibility: Accessibility, accessControl: AccessControl?,
    attributes: [UInt8]
  ) -> (head: [UInt8], end: [UInt8]) {
    var encoder = WireEncoder(capacity: attributes.count + 11)
    encoder.write(accessibility)
    if let accessControl { encoder.write(accessControl) }
    encoder.write(attributes)
    encoder.writeLength(count)
    let head = encoder.finishPlain()
    return (head, RecordPadding.zeros(behind: head.count + count))
  }

  /// Reads what an opened record holds, whose content stays where it lies. Only classes that leave a
  /// device are taken (A9), and of guarded items only those that do not.
  init(_ kind: PortableKind, _ record: consuming SecretBytes) throws(DecodeError) {
    let place: Range<Int>
    (accessibility, accessControl, attributes, place) = try Self.parts(of: record.bytes, kind)
    content = record.extracting(place)
  }

  /// A copy of what is public.
  package func copyOfContent() -> [UInt8] { content.copied }

  private static func parts(
    of record: Span<UInt8>, _ kind: PortableKind
  ) throws(DecodeError) -> (Accessibility, AccessControl?, [UInt8], content: Range<Int>) {
    var decoder = WireDecoder(record)
    let accessibility: Accessibility = try decoder.read()
    guard accessibility.isThisDeviceOnly == (kind == .guarded) else {
      throw .invalidValue(field: "accessibility")
    }
    var accessControl: AccessControl?
    if kind == .guarded { accessControl = try AccessControl(from: &decoder) }
    let attributes = try decoder.readBytes(limit: largestAttributes)
    let count = try decoder.readSpan(limit: kind.limit).count
    let end = record.count - decoder.remainingCount
    try RecordPadding.check(record, used: end)
    return (accessibility, accessControl, attributes, end - count..<end)
  }
}

/// Records are as long as a multiple of 128 bytes, so that they do not tell how long a secret is:
/// zeros follow what they hold.
enum RecordPadding {
  static let block = 128

  static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

  static func zeros(behind count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: padded(count) - count)
  }

  /// There is one way to write a record: no byte of it means nothing.
  static func check(_ record: Span<UInt8>, used: Int) throws(DecodeError) {
    guard record.count == padded(used) else { throw .trailingBytes(count: record.count - used) }
    for index in used..<record.count where record[index] != 0 {
      throw .invalidValue(field: "padding")
    }
  }
}
