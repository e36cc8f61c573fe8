package import Cryptography
package import Protocol

/// Seals and opens the records of one backup. Each is bound to the header, its place in the file
/// and its kind: none can be left out, moved, repeated, or taken from another file.
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
  /// The attributes are opaque here. The content is not copied.
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

  /// - Throws: `backupDamaged`.
  package func openItem(_ record: SealedRecord, as number: UInt64) throws(Failure) -> PortableItem {
    let plain = try open(record.bytes, .item(record.kind), number)
    do throws(DecodeError) {
      return try PortableItem(record.kind, plain)
    } catch {
      throw .backupRecordDamaged(number)
    }
  }

  package func sealEnd(_ counts: BackupCounts) throws(CryptographyError) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(counts)
    let plain = encoder.finish()
    return try AES256GCM.seal(
      plain.bytes, between: [], RecordPadding.zeros(behind: plain.count), with: key,
      authenticating: associated(.end, counts.items))
  }

  /// Opens the last record, which tells that there are `number` before it.
  /// - Throws: `backupDamaged`, also for another number.
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

/// An item in a record: accessibility, access control, the keychain's attributes, and its secret or
/// certificate.
package struct PortableItem: ~Copyable, Sendable {
  package let accessibility: Accessibility
  /// Only of a guarded item.
  package let accessControl: AccessControl?
  package let attributes: [UInt8]
  package let content: SecretBytes

  static func longest(_ kind: PortableKind) -> Int {
    RecordPadding.padded(1 + (kind == .guarded ? 2 : 0) + 4 + largestAttributes + 4 + kind.limit)
  }

  /// The bytes before and behind a content of `count` bytes.
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

  /// Reads an opened record in place. Only classes that leave a device are taken (A9); of guarded
  /// items, only the others.
  init(_ kind: PortableKind, _ record: consuming SecretBytes) throws(DecodeError) {
    let place: Range<Int>
    (accessibility, accessControl, attributes, place) = try Self.parts(of: record.bytes, kind)
    content = record.extracting(place)
  }

  /// For a certificate, which is public.
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

/// Pads records with zeros to multiples of 128 bytes, to hide the length of secrets.
enum RecordPadding {
  static let block = 128

  static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

  static func zeros(behind count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: padded(count) - count)
  }

  /// Every byte of the padding counts: there is one way to write a record.
  static func check(_ record: Span<UInt8>, used: Int) throws(DecodeError) {
    guard record.count == padded(used) else { throw .trailingBytes(count: record.count - used) }
    for index in used..<record.count where record[index] != 0 {
      throw .invalidValue(field: "padding")
    }
  }
}
