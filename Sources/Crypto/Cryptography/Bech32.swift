/// Bech32 (BIP 173) without its limit of 90 characters, as age writes recipients and identities.
package enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumSize = 6
  /// The longest text that is read, in bytes.
  package static let longest = 8 << 10

  /// In small letters. `prefix` is printable ASCII in small letters.
  package static func encoded(_ bytes: [UInt8], prefix: String) -> String {
    let digits = regrouped(bytes, from: 8, to: 5)
    let rest = remainder(expanded(prefix) + digits + [UInt8](repeating: 0, count: checksumSize)) ^ 1
    let checksum = (0..<checksumSize).map { UInt8(rest >> UInt32(5 * (5 - $0)) & 31) }
    let text = (digits + checksum).map { alphabet[Int($0)] }
    return prefix + "1" + String(decoding: text, as: UTF8.self)
  }

  /// Reads a text in small or in capital letters.
  /// - Returns: the prefix in small letters and the bytes; nil if it is not Bech32.
  package static func decoded(_ text: String) -> (prefix: String, bytes: [UInt8])? {
    let given = Array(text.utf8)
    let isCapital = given.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    let isSmall = given.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    guard given.count <= longest, !isCapital || !isSmall, given.allSatisfy({ 33...126 ~= $0 })
    else { return nil }
    let lower = isCapital ? given.map { isLetter($0) ? $0 | 0x20 : $0 } : given
    guard let one = lower.lastIndex(of: UInt8(ascii: "1")), one > 0 else { return nil }
    let digits = lower[(one + 1)...].compactMap { alphabet.firstIndex(of: $0).map { UInt8($0) } }
    let prefix = String(decoding: lower[..<one], as: UTF8.self)
    guard digits.count == lower.count - one - 1, digits.count >= checksumSize,
      remainder(expanded(prefix) + digits) == 1
    else { return nil }
    let payload = Array(digits.dropLast(checksumSize))
    let bytes = regrouped(payload, from: 5, to: 8, pads: false)
    // Unused bits are zero, so that a sequence of bytes has only one text.
    guard regrouped(bytes, from: 8, to: 5) == payload else { return nil }
    return (prefix, bytes)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
  }

  private static func expanded(_ prefix: String) -> [UInt8] {
    prefix.utf8.map { $0 >> 5 } + [0] + prefix.utf8.map { $0 & 31 }
  }

  /// The remainder by the generator of BIP 173, which is 1 for a valid text.
  private static func remainder(_ digits: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    return digits.reduce(1) { (sum: UInt32, digit) in
      var next = (sum & 0x1ff_ffff) << 5 ^ UInt32(digit)
      for bit in 0..<5 where sum >> UInt32(25 + bit) & 1 == 1 { next ^= generator[bit] }
      return next
    }
  }

  /// Groups of `from` bits as groups of `to` bits. Without `pads`, bits that fill no group are
  /// dropped.
  private static func regrouped(
    _ groups: [UInt8], from: Int, to: Int, pads: Bool = true
  ) -> [UInt8] {
    var (bits, count): (UInt32, Int) = (0, 0)
    var result: [UInt8] = []
    for group in groups {
      bits = (bits << UInt32(from) | UInt32(group)) & 0xfff
      count += from
      while count >= to {
        count -= to
        result.append(UInt8(bits >> UInt32(count) & (1 << UInt32(to) - 1)))
      }
    }
    if pads, count > 0 { result.append(UInt8(bits << UInt32(to - count) & (1 << UInt32(to) - 1))) }
    return result
  }
}
