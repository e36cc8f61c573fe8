import CoreClient
import CoreFoundationTypes
import Protocol

/// What a dictionary of SecItem says, read and checked: which items are meant, what an item is to
/// be, and how the request is made.
struct ItemRequest {
  enum Kind: Hashable {
    case item(ItemClass)
    /// A certificate with its private key.
    case identity
  }

  /// Nil: none was named.
  var kind: Kind?
  /// What attributes hold.
  var terms = AttributeTerms()
  /// Nil: none was named.
  var group: String?
  var synchronizability = Synchronizability.unsaid
  /// When it can be reached, if that is said outright.
  var protection: AccessibilityValue?
  var accessControl: SecAccessControl?

  /// The secret. Foundation's, since that is what applications hand over.
  var secret: NSData?
  /// An object that stands for an item.
  var reference: (any ItemReference)?
  var persistentReference: PersistentReference?

  /// What is wanted of what is found.
  var results: Results = []
  /// How many results are wanted; nil: nothing is said of it.
  var limit: Limit?
  /// What must be so of an item beside what the keychain compares.
  var filter = ItemFilter()

  /// The context that the request is made in; nil: it stands alone.
  var authentication: _Authentication?
  /// What the owner is told that it is for.
  var reason: String?
  var interaction = Interaction.allowed

  /// Whether an item is meant to be on all devices of its owner.
  enum Synchronizability: Equatable {
    /// Nothing is said: it is not.
    case unsaid
    case exactly(Bool)
    /// In queries: either.
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

  /// How many results are wanted.
  enum Limit: Equatable {
    case all
    /// At least one.
    case atMost(Int)
  }

  /// Whether the owner may be asked.
  enum Interaction {
    case allowed
    case forbidden
    /// No, and what wants a proof is left out.
    case skipped
  }

  /// What the owner is told, and whether it may be asked.
  var prompting: Prompting {
    var prompting = authentication?.prompting ?? .ofApplication
    if let reason { prompting.reason = reason }
    if interaction != .allowed { prompting.isAllowed = false }
    // Apple's calls ask nobody about a locked device unless they say that they may ask.
    prompting.unlocks = prompting.isAllowed && (authentication != nil || reason != nil)
    return prompting
  }

  /// What protects an item of these words.
  var accessibility: Accessibility? {
    (accessControl?.protection ?? protection).map { value in
      accessControl?.accessControl == nil
        ? value.accessibility : value.accessibility.onThisDeviceOnly
    }
  }
}

/// Why a dictionary of SecItem says nothing that can be done.
enum RequestProblem: Error {
  /// A value of the wrong type, one that means nothing, a contradiction, or something missing.
  case wrongValue
  /// Longer than the keychain keeps.
  case tooLarge
  /// A key that means nothing.
  case unknownAttribute
  case unknownClass
  case unimplemented
  /// What it names cannot be a reference, or is none any more.
  case wrongReference
  /// What is wanted of an item it does not have.
  case noData
  /// The keychain's reason.
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

  /// What SecItem answers.
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
  /// What an application gives for this attribute, as the keychain keeps it.
  ///
  /// As with Apple's keychain a number may be given as a text of digits, and a text if bytes are
  /// wanted stands for its UTF-8.
  /// - Throws: `errSecParam` for something else than the attribute holds.
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
      // Four characters are a number, too (`OSType`): what these two are for.
      guard self == .creator || self == .type, text.utf8.count == 4 else { throw .wrongValue }
      return text.utf8.reduce(0) { $0 << 8 | Int64($1) }
    }
    // A number of Foundation's may hold what no integer does.
    guard let number = given as? NSNumber, let whole = Int64(exactly: number) else {
      throw .wrongValue
    }
    return whole
  }

  /// Yes or no.
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
