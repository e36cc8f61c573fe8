import Cryptography
import Protocol

/// Counts the wrong application passwords that are given for an item in a row, and delays the next
/// ones, whatever program gives them. Those for all items of the user count together, too: one
/// password may guard many.
///
/// Kept only in memory. After a restart nothing guarded opens without the owner's passcode, whose
/// tries are counted for good.
final class AppPasswordTries {
  private struct Tries {
    var wrong = 0
    /// In nanoseconds since boot.
    var delayEnd: UInt64 = 0
  }

  /// Wrong passwords for an item in a row without a delay.
  static let free = 5
  /// The delay after each further one, in seconds: 60 tries an hour.
  static let delay: UInt64 = 60
  /// Wrong passwords for all items together without a delay. One is forgotten after each
  /// ``delay``. A right one forgets none: it may be that of an item of the guesser's own.
  static let freeOfAll: UInt64 = 20

  private let platform: any EnclavePlatform
  /// By the salt of the item's password, which is sealed with the item.
  private var tries: [[UInt8]: Tries] = [:]
  /// When the wrong ones of all items are forgotten, in nanoseconds since boot.
  private var forgotten: UInt64 = 0

  private static let nanoseconds = delay * 1_000_000_000

  init(_ platform: any EnclavePlatform) { self.platform = platform }

  /// - Throws: `appPasswordDelayed` during a delay.
  func refuseDelayed(_ item: AppPasswordRecord) throws(Failure) {
    let now = platform.bootTime
    let burst = (Self.freeOfAll - 1) * Self.nanoseconds
    let end = max(tries[item.salt]?.delayEnd ?? 0, forgotten > burst ? forgotten - burst : 0)
    guard end > now else { return }
    let seconds = (end - now - 1) / 1_000_000_000 + 1
    throw Failure(
      .appPasswordDelayed,
      "too many wrong application passwords: none is tried for \(seconds) s",
      hint: "wait \(seconds) s, then give the right one")
  }

  func noteWrong(_ item: AppPasswordRecord) {
    let now = platform.bootTime
    var own = tries[item.salt] ?? Tries()
    own.wrong += 1
    if own.wrong >= Self.free {
      own.delayEnd = now.addingReportingOverflow(Self.nanoseconds).partialValue
    }
    tries[item.salt] = own
    forgotten = max(forgotten, now).addingReportingOverflow(Self.nanoseconds).partialValue
  }

  func noteRight(_ item: AppPasswordRecord) { tries[item.salt] = nil }
}

extension AppPasswordRecord {
  static let saltSize = 32

  /// Wraps a key by `password` and `wrapping` together, and once more by `wrapping` alone. So
  /// damage is told from a wrong password, and a password can only be tried by a client with all
  /// other evidence.
  func wrap(
    _ key: borrowing SymmetricKey, with password: HeldSecret,
    within wrapping: borrowing SymmetricKey, for associated: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    let inner = try self.key(for: password, and: wrapping).wrapping(key, for: associated)
    return try AES256GCM.seal(inner.span, with: wrapping, authenticating: associated)
  }

  /// Unwraps what ``wrap(_:with:within:for:)`` made, whose outer layer is off.
  func unwrap(
    _ wrapped: borrowing SecretBytes, with password: HeldSecret,
    within wrapping: borrowing SymmetricKey, for associated: [UInt8]
  ) throws(Failure) -> SecretBytes {
    let combined = try cryptographic(try key(for: password, and: wrapping))
    let inner = wrapped.copied
    do throws(CryptographyError) {
      return try AES256GCM.open(inner, with: combined, authenticating: associated)
    } catch {
      throw .wrongAppPassword
    }
  }

  /// Slow on purpose.
  private func key(
    for password: HeldSecret, and wrapping: borrowing SymmetricKey
  ) throws(CryptographyError) -> SymmetricKey {
    let stretched = try cost.stretch(password.bytes, salt: salt)
    return try SymmetricKey.combining(wrapping.bytes, stretched, for: .appPassword)
  }

  func check() throws(DecodeError) {
    guard salt.count == Self.saltSize else { throw .invalidValue(field: "salt") }
  }
}
