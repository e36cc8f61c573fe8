import Cryptography
import Protocol

/// Counts the wrong application passwords that an application gives in a row, and delays it.
///
/// Kept only in memory. After a restart nothing guarded opens without the owner's passcode, whose
/// tries are counted for good.
final class AppPasswordTries {
  private struct Tries {
    var wrong = 0
    /// In nanoseconds since boot.
    var delayEnd: UInt64 = 0
  }

  /// Wrong passwords in a row without a delay.
  static let free = 5
  /// The delay after each further one, in seconds: 60 tries an hour.
  static let delay: UInt64 = 60

  private let platform: any EnclavePlatform
  /// By the bytes of the name: texts that Unicode takes for equal are two applications.
  private var tries: [[UInt8]: Tries] = [:]

  init(_ platform: any EnclavePlatform) { self.platform = platform }

  /// - Throws: `appPasswordDelayed` during a delay.
  func refuseDelayed(_ requester: Requester) throws(Failure) {
    let now = platform.bootTime
    guard let end = tries[Array(requester.application.utf8)]?.delayEnd, end > now else { return }
    let seconds = (end - now - 1) / 1_000_000_000 + 1
    throw Failure(
      .appPasswordDelayed,
      "too many wrong application passwords: none is tried for \(seconds) s",
      hint: "wait \(seconds) s, then give the right one")
  }

  func noteWrong(_ requester: Requester) {
    var own = tries[Array(requester.application.utf8)] ?? Tries()
    own.wrong += 1
    if own.wrong >= Self.free {
      own.delayEnd =
        platform.bootTime.addingReportingOverflow(Self.delay * 1_000_000_000)
        .partialValue
    }
    tries[Array(requester.application.utf8)] = own
  }

  func noteRight(_ requester: Requester) { tries[Array(requester.application.utf8)] = nil }
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
