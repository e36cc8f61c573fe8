// What the keychain asks of the enclave while items leave in a backup or come back. Each is for the
// context of the application's request, which holds the backup's key (``GiveBackupKey``);
// without one the failure is `invalidContext`.

/// An item as the keychain stores it.
package struct StoredItemEntry: Equatable, WireField {
  package let kind: PortableKind
  package let protection: ItemProtection
  package let attributes: [UInt8]
  /// Its secret or its certificate, sealed.
  package let content: [UInt8]
  package init(
    _ kind: PortableKind, protection: ItemProtection, attributes: [UInt8],
    content: [UInt8]
  ) {
    self.kind = kind
    self.protection = protection
    self.attributes = attributes
    self.content = content
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(kind, protection, attributes, content)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (kind, protection, attributes, content) = try decoder.read()
  }
}

/// Opens items and seals them as the next records of a backup, in their order. Reply:
/// ``AttributeBatch``, of which a value is a record; or ``EvidenceNeeded``, where the owner's
/// presence is not proved or counts no more. Failures, with which nothing is sealed: `errSecParam`
/// for an item with access control or of a class that stays on its device, whatever the keychain
/// says of the others (A9); `errSecInteractionNotAllowed`.
package struct SealForBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 130 }
  package let items: [StoredItemEntry]
  package init(items: [StoredItemEntry]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}

/// Opens the attributes of records, by which the keychain knows what to seal them as, and
/// certificates, which it reads. Reply: ``OpenedFromBackup``. Failures: `backupDamaged` for one that
/// is not what it should be, `errSecInteractionNotAllowed`.
package struct OpenFromBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 131 }
  /// The place of the first record in the file.
  package let first: UInt64
  package let records: [SealedRecord]
  package init(first: UInt64, records: [SealedRecord]) {
    self.first = first
    self.records = records
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(first, records) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (first, records) = try decoder.read()
  }
}

/// What the keychain may see of records, in their order.
package struct OpenedFromBackup: WireMessage, Equatable {
  package static var number: UInt8 { 136 }
  /// One of them.
  package struct Item: Equatable, WireField {
    package let attributes: [UInt8]
    /// DER; nil for what holds a secret, which stays in the enclave.
    package let certificate: [UInt8]?
    package init(attributes: [UInt8], certificate: [UInt8]? = nil) {
      self.attributes = attributes
      self.certificate = certificate
    }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, certificate) }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      (attributes, certificate) = try decoder.read()
    }
  }
  package let items: [Item]
  package init(items: [Item]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}

/// A record of a backup, and what it is sealed as on this device.
package struct RestoredEntry: Equatable, WireField {
  /// The record's place in the file.
  package let number: UInt64
  package let record: SealedRecord
  package let protection: ItemProtection
  package let attributes: [UInt8]
  package init(
    number: UInt64, record: SealedRecord, protection: ItemProtection, attributes: [UInt8]
  ) {
    self.number = number
    self.record = record
    self.protection = protection
    self.attributes = attributes
  }
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(number, record, protection, attributes)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (number, record, protection, attributes) = try decoder.read()
  }
}

/// Opens records and seals what is in them on this device, without a secret leaving the enclave: a
/// secret as one, a certificate as one.
/// Reply: ``SealedFromBackup``. Failures: `backupDamaged`; `errSecParam` for a protection with
/// another class than the record's, or with access control; `errSecInteractionNotAllowed`.
package struct SealFromBackup: SealingMessage, Equatable {
  package static var number: UInt8 { 132 }
  package let entries: [RestoredEntry]
  package init(entries: [RestoredEntry]) { self.entries = entries }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(entries) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { entries = try decoder.read() }
}

/// Items of a backup as the keychain stores them, in the order of the entries.
package struct SealedFromBackup: WireMessage, Equatable {
  package static var number: UInt8 { 133 }
  /// One of them.
  package struct Item: Equatable, WireField {
    package let attributes: [UInt8]
    /// Its secret or its certificate, sealed.
    package let content: [UInt8]
    package init(attributes: [UInt8], content: [UInt8]) {
      self.attributes = attributes
      self.content = content
    }
    package func encode(into encoder: inout WireEncoder) { encoder.write(attributes, content) }
    package init(from decoder: inout WireDecoder) throws(DecodeError) {
      (attributes, content) = try decoder.read()
    }
  }
  package let items: [Item]
  package init(items: [Item]) { self.items = items }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(items) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { items = try decoder.read() }
}

/// Opens the last record of a backup. Reply: ``BackupSummary``. Failure: `backupDamaged`, also where
/// `number` is not the number of items it says.
package struct OpenBackupEnd: SealingMessage, Equatable {
  package static var number: UInt8 { 134 }
  /// The record's place in the file.
  package let place: UInt64
  package let record: [UInt8]
  package init(place: UInt64, record: [UInt8]) {
    self.place = place
    self.record = record
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(place, record) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (place, record) = try decoder.read()
  }
}

/// What a backup says of itself at its end.
package struct BackupSummary: WireMessage, Equatable {
  package static var number: UInt8 { 135 }
  package let counts: BackupCounts
  package init(counts: BackupCounts) { self.counts = counts }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(counts) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { counts = try decoder.read() }
}
