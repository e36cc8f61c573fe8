import Cryptography
import Protocol

/// Makes and reads the marks that say which generation something was sealed under.
///
/// A mark is a number and a code under a key of the device's, so that nobody can pretend that there
/// has been a generation: one that the keybag does not hold proves that the keybag is not the
/// newest.
struct GenerationMarks {
  /// What a sealed thing says of its generation.
  enum Origin: Equatable {
    /// It has no mark: it was sealed before there were generations.
    case unmarked
    /// This generation.
    case generation(UInt32)
  }

  /// Bytes of a mark.
  static let size = 4 + codeSize
  private static let codeSize = 16

  private let key: HeldKey
  /// Those that have been asked for, of generations that the keybag holds.
  private var made: [UInt32: [UInt8]] = [:]

  /// Marks under a key of the device's.
  init(_ key: consuming SymmetricKey) { self.key = HeldKey(key) }

  /// The mark of a generation that the keybag holds.
  mutating func mark(of generation: UInt32) throws(CryptographyError) -> [UInt8] {
    if let mark = made[generation] { return mark }
    let mark = try make(generation)
    made[generation] = mark
    return mark
  }

  /// What the bytes in front of something sealed say.
  func origin(of bytes: some Collection<UInt8>) throws(CryptographyError) -> Origin {
    let mark = Array(bytes.prefix(Self.size))
    guard mark.count == Self.size else { return .unmarked }
    let generation = mark[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let expected = if let known = made[generation] { known } else { try make(generation) }
    return SecretBytes(copying: expected.span).isEqual(to: mark.span)
      ? .generation(generation) : .unmarked
  }

  private func make(_ generation: UInt32) throws(CryptographyError) -> [UInt8] {
    let number = (0..<4).map { UInt8(truncatingIfNeeded: generation >> (24 - $0 * 8)) }
    return number + (try HMACSHA256.code(for: number.span, with: key.key.bytes))[..<Self.codeSize]
  }
}
