// The file that items leave in (docs/backup-format.md): what the command writes and reads, and what
// the enclave seals and opens in between.

package import Cryptography
package import Protocol

/// The beginning of a backup: how its passphrase becomes keys. Readable without the passphrase.
package struct BackupHeader: Equatable, Sendable {
  /// Bytes of a header.
  package static let size = 140
  /// The latest version, also written if guarded items may be in the file. Otherwise the version
  /// before is written, for earlier readers. All versions from 1 on are read.
  package static let latestVersion: UInt32 = 3
  /// The most memory that a header may ask for, in bytes.
  package static let mostMemory: UInt64 = 272 << 20
  package static let mostParallelism: UInt32 = 4
  /// The cost of trying a new backup's passphrase: N = 2¹⁷, r = 8, p = 1, 128 MiB.
  package static let cost: Scrypt = {
    guard let scrypt = Scrypt(cost: 1 << 17, blockSize: 8, parallelism: 1) else {
      preconditionFailure("these parameters are in range")
    }
    return scrypt
  }()

  private static let magic = Array("authcore backup\n".utf8)
  private static let saltSize = 32
  /// Without check and checksum.
  private static let factsSize = size - HMACSHA256.size - SHA256Stream.size

  /// The version of the file, which decides the kinds of its records.
  package let version: UInt32
  /// In seconds since 1970.
  package let createdAt: Int64
  package let cost: Scrypt
  /// Random, for this file alone.
  private let salt: [UInt8]
  private let check: [UInt8]
  /// SHA-256 of everything before. Every record is bound to it.
  package let checksum: [UInt8]

  /// Makes the header and the keys of a new backup.
  /// - Parameters:
  ///   - passphrase: in normal form; at least a byte.
  ///   - createdAt: seconds since 1970.
  ///   - includesGuarded: whether items behind an access control may be in it.
  ///   - cost: how the passphrase is stretched, within the limits of readers.
  /// - Returns: the header and the keys.
  /// - Throws: `engineFailed` if there is too little memory.
  package static func make(
    for passphrase: borrowing SecretBytes, createdAt: Int64, includesGuarded: Bool = false,
    cost: Scrypt = cost
  ) throws(Failure) -> (header: BackupHeader, keys: BackupKeys) {
    let version = includesGuarded ? latestVersion : latestVersion - 1
    do throws(CryptographyError) {
      let salt = try RandomBytes.open(count: saltSize)
      let keys = try BackupKeys(stretching: passphrase, salt: salt, cost: cost)
      let facts = facts(version, createdAt, cost, salt)
      let check = try keys.check(of: facts)
      let checksum = try SHA2.sha256((facts + check).span)
      return (
        BackupHeader(
          version: version, createdAt: createdAt, cost: cost, salt: salt, check: check,
          checksum: checksum), keys
      )
    } catch {
      throw .stretchingFailed(cost, error)
    }
  }

  private init(
    version: UInt32, createdAt: Int64, cost: Scrypt, salt: [UInt8], check: [UInt8],
    checksum: [UInt8]
  ) {
    self.version = version
    self.createdAt = createdAt
    self.cost = cost
    self.salt = salt
    self.check = check
    self.checksum = checksum
  }

  /// Reads the beginning of a file; `bytes` are its first ``size``, or all of a shorter file.
  /// - Throws: `errSecDecode` if it is no backup, `backupTooNew`, and `backupDamaged` if it is cut
  ///   short, changed, or asks for more than ``mostMemory``.
  package init(decoding bytes: [UInt8]) throws(Failure) {
    let magic = Self.magic
    guard bytes.starts(with: magic) else { throw .noBackup }
    guard bytes.count >= magic.count + 4 else { throw .backupCutShort }
    do {
      var decoder = WireDecoder(bytes.span.extracting(droppingFirst: magic.count))
      version = try decoder.readUInt32()
      guard version <= Self.latestVersion else { throw Failure.backupOfLaterVersion(version) }
      guard bytes.count >= Self.size else { throw Failure.backupCutShort }
      let checksum = try SHA2.sha256(bytes.span.extracting(first: Self.size - SHA256Stream.size))
      guard version >= 1, bytes.suffix(from: Self.size - checksum.count) == checksum[...]
      else { throw Failure.backupHeaderDamaged }
      createdAt = Int64(bitPattern: try decoder.readUInt64())
      let parameters: (UInt64, UInt32, UInt32) = try decoder.read()
      guard let cost = Scrypt(bounded: parameters) else { throw Failure.backupTooExpensive }
      self.cost = cost
      salt = Array(bytes[(Self.factsSize - Self.saltSize)..<Self.factsSize])
      check = Array(bytes[Self.factsSize..<Self.size - checksum.count])
      self.checksum = checksum
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .backupHeaderDamaged
    }
  }

  /// Slow on purpose.
  /// - Throws: `errSecAuthFailed` for another passphrase.
  package func keys(for passphrase: borrowing SecretBytes) throws(Failure) -> BackupKeys {
    let keys: BackupKeys
    let isRight: Bool
    do throws(CryptographyError) {
      keys = try BackupKeys(stretching: passphrase, salt: salt, cost: cost)
      isRight = try keys.isCheck(check, of: Self.facts(version, createdAt, cost, salt))
    } catch {
      throw .stretchingFailed(cost, error)
    }
    guard isRight else { throw .wrongPassphrase }
    return keys
  }

  package var encoded: [UInt8] {
    Self.facts(version, createdAt, cost, salt) + check + checksum
  }

  private static func facts(
    _ version: UInt32, _ createdAt: Int64, _ cost: Scrypt, _ salt: [UInt8]
  ) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.write(version, UInt64(bitPattern: createdAt), cost)
    return magic + encoder.finishPlain() + salt
  }
}

extension Scrypt {
  /// Parameters from a file, if they are within the limits.
  fileprivate init?(bounded parameters: (cost: UInt64, blockSize: UInt32, parallelism: UInt32)) {
    self.init(
      cost: parameters.cost, blockSize: parameters.blockSize, parallelism: parameters.parallelism)
    guard memory <= BackupHeader.mostMemory, parallelism <= BackupHeader.mostParallelism else {
      return nil
    }
  }
}

/// The keys of one backup; wiped with the last reference.
package final class BackupKeys: Sendable {
  /// Seals the records only.
  private let records: SymmetricKey
  /// Proves the passphrase only.
  private let check: SymmetricKey

  init(
    stretching passphrase: borrowing SecretBytes, salt: [UInt8], cost: Scrypt
  ) throws(CryptographyError) {
    let stretched = try SymmetricKey(try cost.stretch(passphrase, salt: salt))
    records = try stretched.derivedKey(for: "authcore backup 1 records")
    check = try stretched.derivedKey(for: "authcore backup 1 check")
  }

  /// The code beside `facts` in the header.
  func check(of facts: [UInt8]) throws(CryptographyError) -> [UInt8] {
    try HMACSHA256.code(for: facts.span, with: check.bytes)
  }

  func isCheck(
    _ code: [UInt8], of facts: [UInt8]
  ) throws(CryptographyError) -> Bool {
    try HMACSHA256.isValid(code.span, for: facts.span, with: check.bytes)
  }

  /// For the enclave.
  package func copyOfRecordsKey() -> SecretBytes { records.bytes.duplicate() }

  package func cipher(for header: BackupHeader) -> BackupCipher {
    BackupCipher(key: records.duplicate(), header: header.checksum)
  }
}
