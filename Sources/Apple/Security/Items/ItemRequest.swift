import CoreClient
import CoreFoundationTypes
import Protocol

/// A dictionary of SecItem, read and checked: which items are selected, their new attributes, and
/// how the request is made.
struct ItemRequest {
  enum Kind: Hashable {
    case item(ItemClass)
    /// A certificate with its private key.
    case identity
  }

  /// Nil if none was named.
  var kind: Kind?
  var terms = AttributeTerms()
  /// Nil if none was named.
  var group: String?
  var synchronizability = Synchronizability.unsaid
  /// When it can be reached, if `kSecAttrAccessible` says so.
  var protection: AccessibilityValue?
  var accessControl: SecAccessControl?

  /// The secret, in the type that applications pass.
  var secret: NSData?
  var reference: (any ItemReference)?
  var persistentReference: PersistentReference?

  /// What is wanted of what is found.
  var results: Results = []
  /// How many results are wanted, or nil if not stated.
  var limit: Limit?
  /// Conditions that the keychain does not compare.
  var filter = ItemFilter()

  /// The context of the request, or nil if it stands alone.
  var authentication: _Authentication?
  /// The reason that the owner is told.
  var reason: String?
  var interaction = Interaction.allowed

  /// Whether an item is meant to be on all devices of its owner.
  enum Synchronizability: Equatable {
    /// Not stated: it is not.
    case unsaid
    case exactly(Bool)
    /// In queries: both.
    case either
  }

  /// What is wanted of what is found.
  struct Results: OptionSet {
    let rawValue: UInt8
    static let data = Results(rawValue: 1)
    static let attributes = Results(rawValue: 2)
    static let reference = Results(rawValue: 4)
    static let persistentReference = Results(rawValue: 8)
  }

  enum Limit: Equatable {
    case all
    /// At least one.
    case atMost(Int)
  }

  /// Whether the owner may be asked.
  enum Interaction {
    case allowed
    case forbidden
    /// No, and items that need a proof are left out.
    case skipped
  }

  /// The texts of prompts, and whether they are allowed.
  var prompting: Prompting {
    var prompting = authentication?.prompting ?? .ofApplication
    if let reason { prompting.reason = reason }
    if interaction != .allowed { prompting.isAllowed = false }
    // As on Apple's systems, a locked device is only unlocked for requests that state a context or
    // a reason.
    prompting.unlocks = prompting.isAllowed && (authentication != nil || reason != nil)
    return prompting
  }

  /// The class that protects such an item.
  var accessibility: Accessibility? {
    (accessControl?.protection ?? protection).map { value in
      accessControl?.accessControl == nil
        ? value.accessibility : value.accessibility.onThisDeviceOnly
    }
  }
}

/// Why a request of SecItem failed.
enum RequestProblem: Error {
  /// A value of the wrong type or without a meaning, a contradiction, or a missing value.
  case wrongValue
  /// Longer than the keychain allows.
  case tooLarge
  /// A key without a meaning.
  case unknownAttribute
  case unknownClass
  case unimplemented
  /// A reference that is invalid or no longer exists.
  case wrongReference
  /// The wanted part of an item does not exist.
  case noData
  /// A failure of the keychain.
  case failed(Failure)

  /// Runs `body`; its failure becomes the problem.
  static func catching<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(RequestProblem) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw .failed(error)
    }
  }

  /// The status that SecItem returns.
  var status: OSStatus {
    switch self {
    case .wrongValue: errSecParam
    case .tooLarge: errSecDataTooLarge
    case .unknownAttribute: errSecNoSuchAttr
    case .unknownClass: errSecNoSuchClass
    case .unimplemented: errSecUnimplemented
    case .wrongReference: errSecInvalidItemRef
    case .noData: errSecDataNotAvailable
    case .failed(let failure): failure.status
    }
  }
}

extension AttributeName {
  /// An application's value for this attribute, as the keychain keeps it.
  ///
  /// As in Apple's keychain, a number may be a text of digits, and a text stands for its UTF-8 if
  /// bytes are wanted.
  /// - Throws: `errSecParam` for another type.
  func value(_ given: Any) throws(RequestProblem) -> AttributeValue {
    switch form {
    case .text: try Self.text(given)
    case .textOrData:
      if self == .applicationTag || given is Data {
        try Self.data(given)
      } else {
        try Self.text(given)
      }
    case .data: try Self.data(given)
    case .number: .number(try number(given))
    case .flag: .number(try Self.flag(given) ? 1 : 0)
    case .time: .number(try Self.seconds(given))
    }
  }

  private static func text(_ given: Any) throws(RequestProblem) -> AttributeValue {
    guard let text = given as? String else { throw .wrongValue }
    guard text.utf8.count <= AttributeValue.longestText else { throw .tooLarge }
    return .text(text)
  }

  private static func data(_ given: Any) throws(RequestProblem) -> AttributeValue {
    let bytes: [UInt8]
    if let data = given as? Data {
      guard data.count <= AttributeValue.longestData else { throw .tooLarge }
      bytes = [UInt8](data)
    } else if let text = given as? String {
      bytes = Array(text.utf8)
    } else {
      throw .wrongValue
    }
    guard bytes.count <= AttributeValue.longestData else { throw .tooLarge }
    return .data(bytes)
  }

  private func number(_ given: Any) throws(RequestProblem) -> Int64 {
    if let text = given as? String {
      if let number = Int64(text) { return number }
      // Four characters are also a number (`OSType`), for these two attributes.
      guard self == .creator || self == .type, text.utf8.count == 4 else { throw .wrongValue }
      return text.utf8.reduce(0) { $0 << 8 | Int64($1) }
    }
    // A number of Foundation may not be an integer.
    guard let number = given as? NSNumber, let whole = Int64(exactly: number) else {
      throw .wrongValue
    }
    return whole
  }

  static func flag(_ given: Any) throws(RequestProblem) -> Bool {
    if let flag = given as? Bool { return flag }
    guard let number = given as? NSNumber, number == 0 || number == 1 else { throw .wrongValue }
    return number == 1
  }

  /// Seconds since 1970.
  static func seconds(_ given: Any) throws(RequestProblem) -> Int64 {
    guard let date = given as? Date,
      let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down))
    else { throw .wrongValue }
    return seconds
  }
}
