import CoreClient
import Cryptography
import Glibc
import Protocol

/// A secret on its way between the window and the thread of a request.
final class CarriedSecret: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// What makes the one-time codes of an item.
final class OneTimeCodes: Sendable {
  let maker: OneTimePassword

  private init(_ maker: consuming OneTimePassword) { self.maker = maker }

  /// Nil where the item makes none.
  static func of(_ item: borrowing GotItem) -> OneTimeCodes? {
    do throws(OneTimePassword.Problem) {
      return OneTimeCodes(
        try OneTimePassword(
          secret: item.secret.bytes, mayBeKeyAlone: item.attributes.makesOneTimePasswords))
    } catch {
      return nil
    }
  }
}

/// An item that was opened.
struct ShownItem: Sendable {
  let attributes: ItemAttributes
  private let secret: CarriedSecret
  private let codes: OneTimeCodes?

  init(_ item: consuming GotItem, _ codes: OneTimeCodes?) {
    attributes = item.attributes
    self.codes = codes
    secret = CarriedSecret(item.takeSecret())
  }

  /// What is shown of it and copied.
  enum Readable {
    case secret(CarriedSecret)
    /// A one-time code, and for how many seconds it is good; nil: once.
    case code(CarriedSecret, secondsLeft: UInt32?)

    var bytes: CarriedSecret {
      switch self {
      case .secret(let secret), .code(let secret, _): secret
      }
    }
  }

  /// The secret, or the one-time code of this moment.
  func readable() -> Readable {
    guard let codes else { return .secret(secret) }
    do throws(CryptographyError) {
      let password = try codes.maker.password(at: UInt64(clamping: time(nil)))
      let left = password.secondsLeft
      return .code(CarriedSecret(password.code.duplicate()), secondsLeft: left)
    } catch {
      return .secret(secret)
    }
  }
}
