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
