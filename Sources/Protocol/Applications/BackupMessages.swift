// How items leave in a backup and come back (K7, A9; docs/backup-format.md). The file is the
// client's to write and to read; what is in it the enclave seals and opens. All of it happens in one
// evidence context, which the requests name, and only the owner's command may ask
// (`errSecMissingEntitlement`).

/// Bytes of the key of a backup's records, and of the checksum of its header.
package let backupKeySize = 32
/// The most items in one message of a restore.
package let mostRestoredAtOnce = 128

/// What a record of a backup holds beside attributes. The number is the record's in the file, whose
/// last record is of another kind.
package enum PortableKind: UInt8, CaseIterable, WireField {
  /// The secret of an item.
  case secret = 1
  /// A certificate, which is public.
  case certificate = 3

  /// What an item of a class leaves with.
  package init(of itemClass: ItemClass) {
    self = itemClass == .certificate ? .certificate : .secret
  }

  /// The most bytes of it.
  package var limit: Int {
    switch self {
    case .secret: largestItemSecret
    case .certificate: largestCertificate
    }
  }
}

/// A record of a backup without its place in the file: what it holds, and that with the attributes,
/// sealed with the backup's key.
package struct SealedRecord: Equatable, WireField {
  package let kind: PortableKind
  package let bytes: [UInt8]
  package init(_ kind: PortableKind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(kind, bytes) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (kind, bytes) = try decoder.read()
  }
}

/// What a backup's key is given for.
package enum BackupUse: UInt8, CaseIterable, WireField {
  /// Items are sealed with it. Needs the owner's presence.
  case create = 1
  /// Items are opened with it.
  case restore = 2
}

/// Gives the enclave the key of a backup, for the evidence context that the request names: its
/// client has made it of the passphrase, which the enclave never sees. It ends with the context, when
/// the device is locked, and with another one. Reply: ``Done``, or ``EvidenceNeeded`` where items are
/// to be sealed. Failures: `errSecInteractionNotAllowed` (device locked), `passcodeNotSet` (nobody
/// can be asked), `invalidContext`, `errSecMissingEntitlement`.
package struct GiveBackupKey: EngineMessage, ~Copyable {
  package static var number: UInt8 { 120 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { Done.number }
  package let use: BackupUse
  /// The checksum of the file's header, to which each record is bound.
  package let header: [UInt8]
  /// ``backupKeySize`` bytes.
  package let key: SecretBytes
  package init(use: BackupUse, header: [UInt8], key: consuming SecretBytes) {
    self.use = use
    self.header = header
    self.key = key
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(use, header)
    encoder.writeSecret(key)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let use = try BackupUse(from: &decoder)
    let header = try decoder.readBytes(limit: backupKeySize)
    let key = try decoder.readSecret(limit: backupKeySize)
    guard header.count == backupKeySize, key.count == backupKeySize else {
      throw .invalidValue(field: "backup key")
    }
    self.init(use: use, header: header, key: key)
  }

  /// Gives the message up for the key.
  package consuming func takeKey() -> SecretBytes { key }
}

/// Seals the next items for the backup whose key the context holds. Reply: ``ItemsBackedUp``, or
/// ``EvidenceNeeded`` where the owner's presence counts no more. Failures: `invalidContext` (no key),
/// `errSecInteractionNotAllowed` (device locked).
package struct BackUpItems: EngineMessage, Equatable {
  package static var number: UInt8 { 121 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsBackedUp.number }
  /// ``ItemsBackedUp/next`` of the reply before; 0 at the beginning.
  package let after: UInt64
  package init(after: UInt64) { self.after = after }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(after) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { after = try decoder.read() }
}

/// Records for the file, in their order, and what came of the other items of this part.
package struct ItemsBackedUp: WireMessage, Equatable {
  package static var number: UInt8 { 122 }
  package let records: [SealedRecord]
  /// Items and keys of this part that stay on their device.
  package let leftOut: UInt64
  /// Items of this part that are damaged.
  package let unreadable: UInt64
  /// Where the next part begins; nil where this was the last.
  package let next: UInt64?
  /// Items that there are after this part, more or less: for a progress bar.
  package let remaining: UInt64
  package init(
    records: [SealedRecord], leftOut: UInt64, unreadable: UInt64, next: UInt64?, remaining: UInt64
  ) {
    self.records = records
    self.leftOut = leftOut
    self.unreadable = unreadable
    self.next = next
    self.remaining = remaining
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(records, leftOut, unreadable, next, remaining)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (records, leftOut, unreadable, next, remaining) = try decoder.read()
  }
}

/// Ends the backup whose key the context holds; the enclave forgets that. Reply: ``BackupEnded``.
/// Failure: `invalidContext`.
package struct EndBackup: EngineMessage, Equatable {
  package static var number: UInt8 { 123 }
  package static var engine: AddressedEngine { .enclave }
  package static var replyNumber: UInt8 { BackupEnded.number }
  /// The sums of what ``ItemsBackedUp`` said.
  package let leftOut: UInt64
  package let unreadable: UInt64
  package init(leftOut: UInt64, unreadable: UInt64) {
    self.leftOut = leftOut
    self.unreadable = unreadable
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(leftOut, unreadable)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (leftOut, unreadable) = try decoder.read()
  }
}

/// The last record of a backup.
package struct BackupEnded: WireMessage, Equatable {
  package static var number: UInt8 { 124 }
  package let record: [UInt8]
  package init(record: [UInt8]) { self.record = record }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(record) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { record = try decoder.read() }
}

/// What a restore does with the keychain.
package enum RestoreMode: UInt8, CaseIterable, WireField {
  /// Items come into the keychain when the restore is finished.
  case apply = 1
  /// Everything is looked at, and nothing written.
  case dryRun = 2
}

/// Brings the next items of the backup whose key the context holds. Nothing of them is in the
/// keychain before ``FinishRestore``; the first of another restore drops what one before brought and
/// did not finish. Reply: ``ItemsRestored``. Failures: `backupDamaged`, `backupTooNew`,
/// `invalidContext` (no key, or not the next items), `errSecInteractionNotAllowed` (device locked).
package struct RestoreItems: EngineMessage, Equatable {
  package static var number: UInt8 { 125 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsRestored.number }
  package static var longest: Int { ApplicationRequest.longestWithCertificate }
  package let mode: RestoreMode
  /// The place of the first record in the file; 0 begins a restore.
  package let first: UInt64
  /// ``mostRestoredAtOnce`` at most.
  package let records: [SealedRecord]
  package init(mode: RestoreMode, first: UInt64, records: [SealedRecord]) {
    self.mode = mode
    self.first = first
    self.records = records
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(mode, first, records)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (mode, first, records) = try decoder.read()
    try decoder.require(records, atMost: mostRestoredAtOnce)
  }
}

/// Puts what ``RestoreItems`` brought into the keychain, all or nothing. Reply: ``ItemsRestored``.
/// Failures: `backupDamaged` where this is not the end of that backup, `busy` where something else
/// has dropped what was brought.
package struct FinishRestore: EngineMessage, Equatable {
  package static var number: UInt8 { 126 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsRestored.number }
  /// The last record of the file.
  package let record: [UInt8]
  package init(record: [UInt8]) { self.record = record }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(record) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { record = try decoder.read() }
}

/// What becomes of a restore's items, from its beginning on.
package struct ItemsRestored: WireMessage, Equatable {
  package static var number: UInt8 { 127 }
  package var counts: RestoreCounts
  package init(counts: RestoreCounts) { self.counts = counts }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(counts) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { counts = try decoder.read() }
}

/// What became of a restore's items.
package struct RestoreCounts: Equatable, WireField {
  /// Items that the keychain had none of that name of.
  package var added: UInt64
  /// Items that took the place of an older one.
  package var replaced: UInt64
  /// Items that stayed out: the one in the keychain is as new or newer, or stays on this device.
  package var kept: UInt64
  package init(added: UInt64 = 0, replaced: UInt64 = 0, kept: UInt64 = 0) {
    self.added = added
    self.replaced = replaced
    self.kept = kept
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(added, replaced, kept) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (added, replaced, kept) = try decoder.read()
  }
}
