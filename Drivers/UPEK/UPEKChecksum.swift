/// The check of a frame: CRC-16 with the polynomial 0x1021, start 0, not reflected (known as CCITT
/// or XMODEM).
package func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
  var remainder: UInt16 = 0
  for byte in bytes { remainder = remainder << 8 ^ table[Int(UInt8(remainder >> 8) ^ byte)] }
  return remainder
}

/// What a byte does to the remainder.
private let table: [UInt16] = (0..<256).map { byte in
  (0..<8).reduce(UInt16(byte) << 8) { remainder, _ in
    remainder & 0x8000 == 0 ? remainder << 1 : remainder << 1 ^ 0x1021
  }
}
