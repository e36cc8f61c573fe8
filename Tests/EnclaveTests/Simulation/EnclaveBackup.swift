import BackupFormat
import Cryptography
import Protocol

@testable import EnclaveEngine

/// The header and keys of one backup.
struct EnclaveBackup {
  static let passphrase = "correct horse battery staple"
  let header: BackupHeader
  let keys: BackupKeys

  init() throws {
    guard let cost = Scrypt(cost: 16, blockSize: 1, parallelism: 1) else { throw Unusable() }
    (header, keys) = try BackupHeader.make(
      for: secret(Self.passphrase), createdAt: 1_700_000_000, cost: cost)
  }

  struct Unusable: Error {}

  var cipher: BackupCipher { keys.cipher(for: header) }

  func key(for use: BackupUse) -> GiveBackupKey {
    GiveBackupKey(
      use: use, header: header.checksum, key: keys.copyOfRecordsKey())
  }

  /// What a record holds, as text.
  func open(_ record: [UInt8], as number: UInt64) throws -> (attributes: [UInt8], secret: String) {
    let item = try cipher.openItem(SealedRecord(.secret, record), as: number)
    let text = item.copyOfContent()
    return (item.attributes, String(decoding: text, as: UTF8.self))
  }
}

/// An item of a device's, as its keychain stores it.
func stored(
  _ text: String, on device: SimulatedDevice, _ accessibility: Accessibility = .whenUnlocked,
  access: String? = nil, attributes: [UInt8] = [1, 2, 3], identity: [UInt8] = [9]
) throws -> StoredItemEntry {
  let protection = try SimulatedDevice.protection(
    accessibility, access: access, identity: identity)
  let sealed = try device.ask(
    OwnedSealItem(
      protection: protection, names: [], attributes: attributes, secret: secret(text)),
    for: SealedItem.self)
  return StoredItemEntry(
    .secret, protection: protection, attributes: sealed.attributes, content: sealed.sealedSecret)
}
