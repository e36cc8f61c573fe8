import CoreClient
import Cryptography
import Glibc
import Protocol

/// What a page asks of the core within one request of the person.
///
/// Used on the thread of the request.
struct CoreRequests {
  private let connection: CoreConnection
  private let options: PromptOptions
  private let agent: WindowAgent?

  init(_ connection: CoreConnection, _ options: PromptOptions, _ agent: WindowAgent?) {
    (self.connection, self.options, self.agent) = (connection, options, agent)
  }

  var prompting: PromptOptions { options }

  func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try connection.request(message, agent: agent)
  }

  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try connection.ask(message, options, agent: agent)
  }

  /// Opens an item after a proof that the owner is there.
  ///
  /// The item's access control asks for one. Without one the owner proves it all the same, if there
  /// is a passcode, because the secret will be on the screen.
  ///
  /// A counter for one-time codes is advanced before a code is shown.
  func open(_ item: ItemAttributes) throws(Failure) -> ShownItem {
    let status: CoreStatus = try request(GetStatus())
    let context = try connection.openContext()
    if status.isPasscodeSet, item.accessControl?.presenceAlone == nil {
      _ = try context.evaluate(.owner, options, agent: agent)
    }
    for _ in 0..<UpdateItems.mostReads {
      let got: GotItem = try context.ask(
        GetItem(query: ItemQuery(naming: item)), options, agent: agent)
      let codes = OneTimeCodes.of(got)
      if let next = codes?.maker.advanced(got.secret) {
        do throws(Failure) {
          let _: ItemsChanged = try context.ask(
            UpdateItems(secretOf: got, to: next), options, agent: agent)
        } catch  where error.code == .busy {
          // Another program took this code.
          continue
        }
      }
      try context.invalidate()
      return ShownItem(got, codes)
    }
    throw Failure(
      .busy, "Other programs keep taking codes of this item", hint: "Try again in a moment.")
  }
}

/// What the core says at one moment.
struct Snapshot: Equatable, Sendable {
  let status: CoreStatus
  let fingers: [Finger]

  static func take(_ connection: CoreConnection) throws(Failure) -> Snapshot {
    let status: CoreStatus = try connection.request(GetStatus())
    let list: FingerList = try connection.ask(ListFingers())
    return Snapshot(status: status, fingers: list.fingers)
  }
}

/// A secret between the window and the thread of a request.
final class CarriedSecret: Sendable {
  let bytes: SecretBytes
  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

/// Makes the one-time codes of an item.
final class OneTimeCodes: Sendable {
  let maker: OneTimePassword

  private init(_ maker: consuming OneTimePassword) { self.maker = maker }

  /// Nil if the item makes none.
  static func of(_ item: borrowing GotItem) -> OneTimeCodes? {
    do throws(OneTimePassword.Problem) {
      return OneTimeCodes(
        try OneTimePassword(
          secret: item.secret.bytes,
          keyAlone: item.attributes.makesOneTimePasswords ? .expected : .refused))
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

  /// What is shown and copied.
  enum Readable {
    case secret(CarriedSecret)
    /// A one-time code, and for how many seconds it is good; nil if it is good once.
    case code(CarriedSecret, secondsLeft: UInt32?)

    var bytes: CarriedSecret {
      switch self {
      case .secret(let secret), .code(let secret, _): secret
      }
    }
  }

  /// The secret, or the current one-time code.
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
