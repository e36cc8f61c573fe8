import Cryptography
import Protocol

/// The form of the state files besides the root key: kind and version in the clear, everything else
/// sealed.
struct SealedStateFile {
  /// The kind, which is authenticated with the contents, such as `authcore keybag`.
  let magic: String
  /// The versions that are read. The last one is written.
  let versions: ClosedRange<UInt32>

  struct Unopened {
    let version: UInt32
    let sealed: [UInt8]
  }

  private func header(_ version: UInt32) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeText(magic)
    encoder.writeUInt32(version)
    return encoder.finishPlain()
  }

  /// The whole file. `identity` is authenticated too, and needed for opening; `mark` precedes the
  /// sealed bytes in the clear.
  func seal(
    _ contents: borrowing SecretBytes, with key: borrowing SymmetricKey, identity: [UInt8] = [],
    mark: [UInt8] = []
  ) throws(CryptographyError) -> SecretBytes {
    let sealed = try AES256GCM.seal(
      contents.bytes, with: key, authenticating: header(versions.upperBound) + identity)
    var encoder = WireEncoder(capacity: sealed.count + 96)
    encoder.writeText(magic)
    encoder.writeUInt32(versions.upperBound)
    encoder.writeBytes(mark + sealed)
    return encoder.finish()
  }

  /// Reads the part of a file that is in the clear.
  func read(_ file: borrowing SecretBytes) throws(StateDamage) -> Unopened {
    do {
      var decoder = WireDecoder(file.bytes)
      guard try decoder.readText(limit: 64) == magic else { throw StateDamage.notOurs }
      let version = try decoder.readUInt32()
      guard versions.contains(version) else { throw StateDamage.otherVersion(version) }
      let sealed = try decoder.readBytes(limit: file.count)
      try decoder.finish()
      return Unopened(version: version, sealed: sealed)
    } catch let damage as StateDamage {
      throw damage
    } catch {
      throw .changed
    }
  }

  /// The contents of a whole file of this key and identity, whose mark has `markSize` bytes.
  func open(
    _ file: Unopened, with key: borrowing SymmetricKey, identity: [UInt8] = [], markSize: Int = 0
  ) throws(StateDamage) -> SecretBytes {
    do {
      return try AES256GCM.open(
        Array(file.sealed.dropFirst(markSize)), with: key,
        authenticating: header(file.version) + identity)
    } catch {
      throw .changed
    }
  }
}

enum StateDamage: Error, Equatable, Sendable {
  case notOurs
  case otherVersion(UInt32)
  /// It was cut or changed, or belongs to another root key.
  case changed
  /// It is missing, and others need it.
  case missing
  /// It is from before the root key moved into the TPM.
  case old
  /// It was written beside a later keybag.
  case newer

  /// The answer to every request while the file is in this state. The file is left alone.
  func failure(file name: String) -> Failure {
    let reason =
      switch self {
      case .notOurs: "is not a state file of authcore"
      case .otherVersion(let version):
        "has version \(version), which this version of authcore does not read"
      case .changed: "is damaged, or belongs to another state folder"
      case .missing: "is missing"
      case .old: "is an old copy, of before the root key was moved into the TPM"
      case .newer: "is newer than the keybag, an old copy of which has been put back"
      }
    return Failure(
      .stateDamaged, "the enclave's state file \(name) \(reason); nothing was changed",
      hint: """
        restore \(name) from a backup of the state folder; without one, move the folder away and start afresh: \
        what was stored in it cannot be opened any more
        """)
  }
}
