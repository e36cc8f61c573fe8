import BackupFormat
import Cryptography
import Glibc
import Protocol

/// An item as tests compare it.
struct PlainItem: Equatable {
  var kind = PortableKind.secret
  var accessibility = Accessibility.whenUnlocked
  var accessControl: AccessControl?
  var attributes: [UInt8]
  var content: String
}

/// A backup in memory.
struct MadeBackup {
  static let passphrase = "correct horse battery staple"
  /// Weak on purpose: tests make and try many.
  static let cost: Scrypt = {
    guard let scrypt = Scrypt(cost: 16, blockSize: 1, parallelism: 1) else {
      preconditionFailure("16, 1 and 1 are in range")
    }
    return scrypt
  }()
  static let items = [
    PlainItem(attributes: [1, 2, 3], content: "s3cret"),
    PlainItem(accessibility: .afterFirstUnlock, attributes: [4], content: ""),
    PlainItem(kind: .certificate, attributes: [], content: String(repeating: "long ", count: 40)),
  ]

  let header: [UInt8]
  /// Each with its head; the last one is the end.
  var records: [[UInt8]]

  var bytes: [UInt8] { header + records.flatMap(\.self) }

  init(
    _ items: [PlainItem] = items, passphrase: String = passphrase, leftOut: UInt64 = 7,
    includesGuarded: Bool = false
  ) throws {
    let secret = SecretBytes(copying: Array(passphrase.utf8).span)
    let (header, keys) = try BackupHeader.make(
      for: secret, createdAt: 1_700_000_000, includesGuarded: includesGuarded, cost: Self.cost)
    let cipher = keys.cipher(for: header)
    self.header = header.encoded
    records = try items.enumerated().map { number, item in
      let record = try cipher.sealItem(
        item.kind, item.accessibility, item.accessControl, attributes: item.attributes,
        content: Array(item.content.utf8).span, as: UInt64(number))
      return Self.record(.item(record.kind), record.bytes)
    }
    let counts = BackupCounts(items: UInt64(items.count), leftOut: leftOut, unreadable: 0)
    records.append(Self.record(.end, try cipher.sealEnd(counts)))
  }

  private static func record(_ kind: BackupRecordHead.Kind, _ sealed: [UInt8]) -> [UInt8] {
    BackupRecordHead(kind, count: sealed.count).encoded + sealed
  }
}

/// What a file holds, to its end.
struct ReadBackup: Equatable {
  var items: [PlainItem] = []
  var counts: BackupCounts?

  /// Reads it; the bytes come in whatever the file has.
  init(_ bytes: [UInt8], passphrase: String = MadeBackup.passphrase) throws(Failure) {
    var rest = bytes[...]
    var reader = try BackupReader { (count) throws(Failure) in
      let part = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      return part
    }
    let secret = SecretBytes(copying: Array(passphrase.utf8).span)
    let cipher = try reader.header.keys(for: secret).cipher(for: reader.header)
    while let record = try reader.next() {
      switch record {
      case .item(let record, let number):
        let item = try cipher.openItem(record, as: number)
        items.append(
          PlainItem(
            kind: record.kind, accessibility: item.accessibility,
            accessControl: item.accessControl, attributes: item.attributes,
            content: String(decoding: item.copyOfContent(), as: UTF8.self)))
      case .end(let sealed, let number): counts = try cipher.openEnd(sealed, as: number)
      }
    }
  }
}

/// The failure that `body` ends with, or nil.
func backupFailure(of body: () throws(Failure) -> Void) -> Failure? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error
  }
}
