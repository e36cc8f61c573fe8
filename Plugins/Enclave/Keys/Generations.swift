import Cryptography
import Protocol

/// The generations of the class keys. A new one begins when the passcode changes and when a finger
/// is removed, so that an old copy of the keybag opens nothing that was added later.
///
/// A generation is a random secret that goes into every class key beside the class's own. The
/// keybag keeps all of them, because items of any age may be there: the keychain's rows are not the
/// enclave's to rewrite.
struct Generations: Sendable {
  /// One of them.
  struct Generation: Sendable {
    /// The serial number of the keybag that brought it; numbers grow, and no two generations of a
    /// root key share one.
    let number: UInt32
    let secret: HeldKey
  }

  private var all: [Generation] = []

  /// How many are kept: one change a week for twenty years, in 36 KiB of the keybag. Past them the
  /// newest goes on, because neither changing a passcode nor removing a finger may fail for that.
  static let most = 1024

  /// No generation: what was sealed before there were any is sealed by the class key alone.
  init() {}

  /// The one that what is sealed from here on belongs to; nil in a keybag of an earlier version.
  var newest: Generation? { all.last }

  /// One by its number.
  func generation(_ number: UInt32) -> Generation? { all.last { $0.number == number } }

  /// Begins another one.
  /// - Returns: false where there are as many as are kept.
  mutating func begin(_ number: UInt32, _ secret: consuming SymmetricKey) -> Bool {
    guard all.count < Self.most else { return false }
    all.append(Generation(number: number, secret: HeldKey(secret)))
    return true
  }

  private static let purpose = Array("authcore generations".utf8)

  /// As the keybag stores them.
  func sealed(with key: borrowing SymmetricKey) throws(CryptographyError) -> [UInt8] {
    var encoder = WireEncoder(capacity: 16 + 40 * all.count)
    encoder.writeArray(all) {
      $0.writeUInt32($1.number)
      $0.writeSecret($1.secret.key.bytes)
    }
    return try AES256GCM.seal(
      encoder.finish().bytes, with: key, authenticating: Self.purpose)
  }

  /// Opens what ``sealed(with:)`` gave.
  init(
    opening sealed: [UInt8], with key: borrowing SymmetricKey
  ) throws(CryptographyError) {
    let contents = try AES256GCM.open(sealed, with: key, authenticating: Self.purpose)
    do {
      var decoder = WireDecoder(contents.bytes)
      for _ in 0..<(try decoder.readCount(limit: Self.most, elementSize: 40)) {
        let number = try decoder.readUInt32()
        let secret = try HeldKey(try decoder.readSecret(limit: SymmetricKey.size))
        all.append(Generation(number: number, secret: secret))
      }
      try decoder.finish()
    } catch {
      throw .notAuthentic
    }
  }
}

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
