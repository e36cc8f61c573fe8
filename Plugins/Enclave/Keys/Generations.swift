import Cryptography
import Protocol

/// The generations of the class keys. Changing the passcode or removing a finger begins a new one,
/// so that an old copy of the keybag opens nothing that was added later.
///
/// A generation is a random secret that enters every class key. The keybag keeps all of them,
/// because items of any age may exist: the enclave cannot rewrite the keychain's rows.
struct Generations: Sendable {
  struct Generation: Sendable {
    /// The serial number of the keybag that brought it. Numbers grow, and are unique under a root
    /// key.
    let number: UInt32
    let secret: HeldKey
  }

  private var all: [Generation] = []

  /// One change a week for twenty years, in 36 KiB of the keybag. After that the newest generation
  /// stays in use, because changing a passcode or removing a finger must not fail.
  static let most = 1024

  init() {}

  /// The generation to seal under; nil in a keybag of an earlier version.
  var newest: Generation? { all.last }

  func generation(_ number: UInt32) -> Generation? { all.last { $0.number == number } }

  /// - Returns: false if there are ``most`` already.
  mutating func begin(_ number: UInt32, _ secret: consuming SymmetricKey) -> Bool {
    guard all.count < Self.most else { return false }
    all.append(Generation(number: number, secret: HeldKey(secret)))
    return true
  }

  private static let purpose = Array("authcore generations".utf8)

  /// The form that the keybag stores.
  func sealed(with key: borrowing SymmetricKey) throws(CryptographyError) -> [UInt8] {
    var encoder = WireEncoder(capacity: 16 + 40 * all.count)
    encoder.writeArray(all) {
      $0.writeUInt32($1.number)
      $0.writeSecret($1.secret.key.bytes)
    }
    return try AES256GCM.seal(
      encoder.finish().bytes, with: key, authenticating: Self.purpose)
  }

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

/// Makes and reads the marks that tell which generation something was sealed under.
///
/// A mark is a number and a code under a key of the device, so a generation cannot be forged: one
/// that the keybag does not hold proves that the keybag is not the newest.
struct GenerationMarks {
  enum Origin: Equatable {
    /// Sealed before there were generations.
    case unmarked
    case generation(UInt32)
  }

  static let size = 4 + codeSize
  private static let codeSize = 16

  private let key: HeldKey
  /// Marks made so far, of generations that the keybag holds.
  private var made: [UInt32: [UInt8]] = [:]

  init(_ key: consuming SymmetricKey) { self.key = HeldKey(key) }

  /// The mark of a generation that the keybag holds.
  mutating func mark(of generation: UInt32) throws(CryptographyError) -> [UInt8] {
    if let mark = made[generation] { return mark }
    let mark = try make(generation)
    made[generation] = mark
    return mark
  }

  /// The origin that the bytes in front of something sealed tell.
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
