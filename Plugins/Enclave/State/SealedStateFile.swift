import Cryptography
import Wire

/// The form of the state files that hold more than the root key: a readable kind and version, and everything else sealed.
struct SealedStateFile {
  /// The kind, which is authenticated with the contents: `authcore keybag`.
  let magic: String
  /// The only version that is read.
  let version: UInt32

  private var header: [UInt8] {
    var encoder = WireEncoder()
    encoder.writeText(magic)
    encoder.writeUInt32(version)
    let header = encoder.finish()
    return header.bytes.indices.map { header.bytes[$0] }
  }

  /// The whole file. `identity` is authenticated too and has to be the same for opening.
  func seal(
    _ contents: borrowing SecretBytes, with key: borrowing SymmetricKey, identity: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    let sealed = try AES256GCM.seal(
      contents.bytes, with: key, authenticating: header + identity)
    var encoder = WireEncoder(capacity: sealed.count + 64)
    encoder.writeText(magic)
    encoder.writeUInt32(version)
    encoder.writeBytes(sealed)
    return encoder.finish()
  }

  /// What is in a file, if it is one of this kind, version, key and identity, and whole.
  func open(
    _ file: borrowing SecretBytes, with key: borrowing SymmetricKey, identity: [UInt8] = []
  ) throws(StateDamage) -> SecretBytes {
    do {
      var decoder = WireDecoder(file.bytes)
      guard try decoder.readText(limit: 64) == magic else { throw StateDamage.notOurs }
      let found = try decoder.readUInt32()
      guard found == version else { throw StateDamage.otherVersion(found) }
      let sealed = try decoder.readBytes(limit: file.count)
      try decoder.finish()
      return try AES256GCM.open(sealed, with: key, authenticating: header + identity)
    } catch let damage as StateDamage {
      throw damage
    } catch {
      throw .changed
    }
  }
}
