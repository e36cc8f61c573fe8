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
  /// When it can be reached, where that is said outright.
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
