/// The 32-bit linear feedback shift register whose states mask the pixels of an encrypted block.
package struct KeyGenerator: Equatable {
  /// The register's bits.
  package private(set) var state: UInt32

  package init(_ key: UInt32) {
    state = key
  }

  /// What a byte is XORed with under this state: its bits 4, 8, 11, 14, 18, 21, 24 and 29, the
  /// first one lowest.
  package var mask: UInt8 {
    let low = (state >> 4) & 0x01 | (state >> 7) & 0x02 | (state >> 9) & 0x04 | (state >> 11) & 0x08
    let high =
      (state >> 14) & 0x10 | (state >> 16) & 0x20 | (state >> 18) & 0x40 | (state >> 22) & 0x80
    return UInt8(truncatingIfNeeded: low | high)
  }

  /// Moves on by one byte: the parity of the tapped bits comes in at the top.
  package mutating func clock() {
    let parity = (state & 0x9248_144D).nonzeroBitCount & 1
    state = state >> 1 | UInt32(truncatingIfNeeded: parity) << 31
  }

  /// Moves on by `count` bytes.
  package mutating func clock(_ count: Int) {
    for _ in 0..<count { clock() }
  }
}
