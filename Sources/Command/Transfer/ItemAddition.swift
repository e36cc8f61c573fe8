import Wire

/// Adds items to the keychain, one after the other.
final class ItemAddition {
  /// What became of an item.
  enum Outcome {
    case added
    /// One of its name is there.
    case duplicate
    /// It cannot be added, whatever becomes of the others.
    case failed(Failure)
  }

  private let session: CoreSession
  private var outcomes: [Outcome] = []

  init(_ session: CoreSession) { self.session = session }

  /// How many items are stored so far.
  var storedCount: Int {
    outcomes.count { if case .added = $0 { true } else { false } }
  }

  /// Adds an item, at once or later.
  /// - Throws: what keeps every item from being added.
  func add(_ attributes: ItemAttributes, _ secret: borrowing SecretBytes) throws(Failure) {
    do throws(Failure) {
      let _: ItemAdded = try session.ask(
        AddItem(attributes: attributes, secret: secret.duplicate()))
      outcomes.append(.added)
    } catch {
      switch error.code {
      case .errSecDuplicateItem: outcomes.append(.duplicate)
      case .errSecParam, .errSecNoSuchAttr: outcomes.append(.failed(error))
      default: throw error
      }
    }
  }

  /// Adds what still waits.
  /// - Returns: what became of each item, in the order of adding.
  func finish() throws(Failure) -> [Outcome] { outcomes }
}
