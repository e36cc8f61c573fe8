import AuthcoreABI
import Cryptography
import Protocol

extension ChipBinding {
  /// Bytes of a name that the enclave draws.
  static let nameBytes = 32
  private static let wrapping = Array("authcore finger on a chip".utf8)

  /// A new finger's, with a random key.
  init(
    device: ChipDevice, name: borrowing SecretBytes, opensItems: Bool, state: StoredState
  ) throws(Failure) {
    let key = try state.derivedKey(for: .chipFinger, stretched: name)
    let finger = try state.platform.randomKey()
    let wrapped = try cryptographic(try key.wrapping(finger, for: Self.wrapping))
    self.init(device: device.identity, wrapped: wrapped, opensItems: opensItems)
  }

  /// Whether it is the binding of the template of this name. A name that can be guessed opens none.
  func opens(with name: borrowing SecretBytes, _ state: StoredState) -> Bool {
    guard name.count >= AC_CHIP_ID_MIN,
      let key = try? state.derivedKey(for: .chipFinger, stretched: name)
    else { return false }
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
}
