import Cryptography
import Protocol

/// A backup with records from the fuzzer, written from docs/backup-format.md alone.
struct ForgedBackup {
  static let passphrase = SecretBytes(copying: [0x62, 0x75, 0x74].span)

  /// One of each version, from 0 to the first that does not exist.
  static let of = (0..<4 as Range<UInt32>).map { version in
    guard let backup = try? ForgedBackup(version: version) else {
      preconditionFailure("libcrypto fails")
    }
    return backup
  }

  let header: [UInt8]
  private let key: BackupKeyCopy

  /// The header of a version with the weakest accepted stretching.
  private init(version: UInt32) throws {
    let salt = [UInt8](repeating: 7, count: 32)
    guard let cost = Scrypt(cost: 2, blockSize: 1, parallelism: 1) else {
      preconditionFailure("2, 1 and 1 are in range")
    }
    let stretched = try SymmetricKey(try cost.stretch(Self.passphrase, salt: salt))
    var encoder = WireEncoder()
    encoder.write(version, UInt64(1_700_000_000), cost)
    let facts = Array("authcore backup\n".utf8) + encoder.finishPlain() + salt
    let check = try stretched.derivedKey(for: "authcore backup 1 check")
    let checked = facts + (try HMACSHA256.code(for: facts.span, with: check.bytes))
    header = checked + (try SHA2.sha256(checked.span))
    key = BackupKeyCopy(try stretched.derivedKey(for: "authcore backup 1 records"))
  }

  /// Header and records, then the end. Each record is a byte for its treatment, two for the length
  /// of its contents, and the contents.
  func file(of program: [UInt8]) throws -> [UInt8] {
    var rest = program[...]
    var file = header
    var number: UInt64 = 0
    while rest.count >= 3, number < 64 {
      let (choice, count) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]) << 8)
      let size = count | Int(rest[rest.startIndex + 2])
      rest = rest.dropFirst(3)
      let contents = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      file += try record(contents, choice, number)
      number += 1
    }
    var end = WireEncoder()
    end.write(number, UInt64(1), UInt64(2))
    return file + (try sealed(padded(end.finishPlain()), as: 2, number))
  }

  /// A record of an item as far as the choice says, or of anything.
  private func record(
    _ contents: [UInt8], _ choice: UInt8, _ number: UInt64
  ) throws -> [UInt8] {
    let kind: UInt8 = [1, 3, 1, 2][Int(choice & 3)]
    guard choice & 4 == 0 else { return try sealed(contents, as: kind, number) }
    guard choice & 8 == 0 else { return try sealed(padded(contents), as: kind, number) }
    let middle = contents.count * Int(choice >> 4) / 15
    var encoder = WireEncoder()
    encoder.write(
      choice & 16 == 0 ? Accessibility.whenUnlocked : .afterFirstUnlock,
      Array(contents[..<middle]), Array(contents[middle...]))
    return try sealed(padded(encoder.finishPlain()), as: kind, number)
  }

  private func padded(_ contents: [UInt8]) -> [UInt8] {
    contents + [UInt8](repeating: 0, count: (128 - contents.count % 128) % 128)
  }

  private func sealed(_ contents: [UInt8], as kind: UInt8, _ number: UInt64) throws -> [UInt8] {
    var associated = WireEncoder()
    associated.write(number, kind)
    let sealed = try AES256GCM.seal(
      contents.span, with: key.key,
      authenticating: Array("authcore backup 1 record".utf8) + header.suffix(32)
        + associated.finishPlain())
    var head = WireEncoder()
    head.write(kind, UInt32(sealed.count))
    return head.finishPlain() + sealed
  }
}

private final class BackupKeyCopy: Sendable {
  let key: SymmetricKey
  init(_ key: consuming SymmetricKey) { self.key = key }
}
