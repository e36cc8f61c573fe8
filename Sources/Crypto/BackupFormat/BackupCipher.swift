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
