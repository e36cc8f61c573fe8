import Protocol

/// A reversible scrambling that notices changes: what a test needs of sealing, and no cryptography.
struct ToySeal {
  let key: UInt64

  /// FNV-1a over several byte strings.
  func digest(_ parts: [[UInt8]]) -> UInt64 {
    var hash = 0xCBF2_9CE4_8422_2325 ^ key
    for part in parts {
      for byte in part + [UInt8(truncatingIfNeeded: part.count), 0xA5] {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
    }
    return hash
  }

  func seal(_ plain: [UInt8], for binding: [UInt8]) -> [UInt8] {
    bytes(of: digest([plain, binding])) + scrambled(plain, for: binding)
  }

  func open(_ sealed: [UInt8], for binding: [UInt8]) -> [UInt8]? {
    guard sealed.count >= 8 else { return nil }
    let plain = scrambled(Array(sealed.dropFirst(8)), for: binding)
    return bytes(of: digest([plain, binding])) == Array(sealed.prefix(8)) ? plain : nil
  }

  /// 32 bytes that a value always gives.
  func hash(_ value: [UInt8]) -> [UInt8] {
    (UInt8(0)..<4).flatMap { bytes(of: digest([value, [$0]])) }
  }

  private func scrambled(_ bytes: [UInt8], for binding: [UInt8]) -> [UInt8] {
    var state = digest([binding]) | 1
    return bytes.map { byte in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return byte ^ UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  private func bytes(of value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
