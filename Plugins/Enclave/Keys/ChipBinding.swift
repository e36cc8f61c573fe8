import Cryptography
import Protocol

/// Binds a finger to a template on a chip. The finger's key is wrapped under a key that is derived
/// from the template's name and the root key. The name is not kept, so that a chip's bare yes, a
/// device that never saw the name, and a copied disk open nothing (E4).
struct ChipBinding: Equatable, Sendable {
  /// The device that holds the template (``ChipDevice/identity``).
  let device: String
  let wrapped: [UInt8]
  /// Whether the owner lets it open items and keys that ask for a finger.
  let opensItems: Bool

  /// Bytes of a name that the enclave draws.
  static let nameBytes = 32
  private static let wrapping = Array("authcore finger on a chip".utf8)

  init(device: String, wrapped: [UInt8], opensItems: Bool) {
    self.device = device
    self.wrapped = wrapped
    self.opensItems = opensItems
  }

  /// A new finger's, with a random key.
  init(
    device: ChipDevice, name: borrowing SecretBytes, opensItems: Bool, state: StoredState
  ) throws(Failure) {
    let key = try state.derivedKey(for: .chipFinger, stretched: name)
    let finger = try state.platform.randomKey()
    let wrapped = try cryptographic(try key.wrapping(finger, for: Self.wrapping))
    self.init(device: device.identity, wrapped: wrapped, opensItems: opensItems)
  }

  /// Whether it is the binding of the template of this name.
  func opens(with name: borrowing SecretBytes, _ state: StoredState) -> Bool {
    guard let key = try? state.derivedKey(for: .chipFinger, stretched: name) else { return false }
    return (try? key.unwrapping(wrapped, for: Self.wrapping)) != nil
  }

  /// A name that no chip refuses (match_on_chip.h).
  static func drawName(
    bytes: UInt32, on platform: any EnclavePlatform
  ) throws(Failure) -> HeldSecret {
    let count = min(nameBytes, Int(bytes))
    for _ in 0..<64 {
      let name = HeldSecret(try platform.random(count: count))
      if isUsual(name.bytes) { return name }
    }
    throw Failure(.engineFailed, "the random generator repeats itself")
  }
}

extension ChipBinding {
  private static func isUsual(_ name: borrowing SecretBytes) -> Bool {
    let (first, last) = (name.bytes[0], name.bytes[name.count - 1])
    return first != 0x00 && first != 0x20 && first != 0xFF && last != 0x00
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeText(device)
    encoder.writeBytes(wrapped)
    encoder.write(opensItems)
  }

  init(from decoder: inout WireDecoder) throws(DecodeError) {
    device = try decoder.readText(limit: 256)
    wrapped = try decoder.readBytes(limit: 128)
    opensItems = try decoder.readBoolean()
  }
}
