import CoreClient
import Dispatch

/// Keeps rights under names that an application gives them. They are the application's own, stay on
/// this device, and in no backup. Any thread.
public final class LARightStore: NSObject, Sendable {
  /// The one store of an application.
  public class var shared: LARightStore { theStore }

  private static let theStore = LARightStore()

  private override init() {}

  private var rights: KeptRights { KeptRights(client: .current) }

  /// A right that was saved.
  /// - Parameters:
  ///   - identifier: its name.
  ///   - completion: gets the right, which is not authorized yet, or hears why not:
  ///     `errSecItemNotFound` of `NSOSStatusErrorDomain`, for example. On a queue of its own.
  @preconcurrency public func right(
    forIdentifier identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try rights.right(identifier) }
  }

  /// A right that was saved.
  /// - Parameter identifier: its name.
  /// - Returns: the right, which is not authorized yet.
  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`, for example.
  public nonisolated(nonsending) func right(
    forIdentifier identifier: String
  ) async throws -> LAPersistedRight {
    try await RightWork.value { [rights] in try rights.right(identifier) }
  }

  /// Saves a right: what it wants, and a key of the enclave's that is made for it. Asks nobody.
  /// - Parameters:
  ///   - right: the right.
  ///   - identifier: a name that none is kept under.
  ///   - completion: gets the right as it is kept, or hears why not: `errSecDuplicateItem` of
  ///     `NSOSStatusErrorDomain`, for example. On a queue of its own.
  @preconcurrency public func saveRight(
    _ right: LARight, identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in
      try Self.save(right, identifier, nil, in: rights)
    }
  }

  /// Saves a right: what it wants, and a key of the enclave's that is made for it. Asks nobody.
  /// - Parameters:
  ///   - right: the right.
  ///   - identifier: a name that none is kept under.
  /// - Returns: the right as it is kept.
  /// - Throws: `errSecDuplicateItem` of `NSOSStatusErrorDomain`, for example.
  public nonisolated(nonsending) func saveRight(
    _ right: LARight, identifier: String
  ) async throws -> LAPersistedRight {
    try await RightWork.value { [rights] in try Self.save(right, identifier, nil, in: rights) }
  }

  /// Saves a right with a secret. Asks nobody.
  /// - Parameters:
  ///   - right: the right.
  ///   - identifier: a name that none is kept under.
  ///   - secret: at most 48 KiB; the caller's to wipe.
  ///   - completion: as if there is no secret.
  @preconcurrency public func saveRight(
    _ right: LARight, identifier: String, secret: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in
      try Self.save(right, identifier, secret, in: rights)
    }
  }

  /// Saves a right with a secret. Asks nobody.
  /// - Parameters:
  ///   - right: the right.
  ///   - identifier: a name that none is kept under.
  ///   - secret: at most 48 KiB; the caller's to wipe.
  /// - Returns: the right as it is kept.
  /// - Throws: as if there is no secret.
  public nonisolated(nonsending) func saveRight(
    _ right: LARight, identifier: String, secret: Data
  ) async throws -> LAPersistedRight {
    try await RightWork.value { [rights] in try Self.save(right, identifier, secret, in: rights) }
  }

  private static func save(
    _ right: LARight, _ name: String, _ secret: Data?, in rights: KeptRights
  ) throws -> LAPersistedRight {
    try rights.add(name, right.requirement, secret: secret)
    return try rights.right(name)
  }

  /// Removes a right, its key and its secret, for good. Asks nobody.
  /// - Parameters:
  ///   - right: a right that is kept.
  ///   - completion: hears why not; nil if it is gone. On a queue of its own.
  @preconcurrency public func removeRight(
    _ right: LAPersistedRight, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    removeRight(forIdentifier: right.name, completion: completion)
  }

  /// Removes a right, its key and its secret, for good. Asks nobody.
  /// - Parameter right: a right that is kept.
  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`, for example.
  public nonisolated(nonsending) func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.name)
  }

  /// Removes the right of a name, its key and its secret, for good. Asks nobody.
  /// - Parameters:
  ///   - identifier: its name.
  ///   - completion: hears why not; nil if it is gone. On a queue of its own.
  @preconcurrency public func removeRight(
    forIdentifier identifier: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try rights.remove(identifier) }
  }

  /// Removes the right of a name, its key and its secret, for good. Asks nobody.
  /// - Parameter identifier: its name.
  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`, for example.
  public nonisolated(nonsending) func removeRight(forIdentifier identifier: String) async throws {
    try await RightWork.value { [rights] in try rights.remove(identifier) }
  }

  /// Removes every right of the application, for good. Asks nobody.
  /// - Parameter completion: hears why not; nil if all are gone. On a queue of its own.
  @preconcurrency public func removeAllRights(
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try Self.removeAll(of: rights) }
  }

  /// Removes every right of the application, for good. Asks nobody.
  /// - Throws: an error of `NSOSStatusErrorDomain`.
  public nonisolated(nonsending) func removeAllRights() async throws {
    try await RightWork.value { [rights] in try Self.removeAll(of: rights) }
  }

  private static func removeAll(of rights: KeptRights) throws {
    for name in try rights.names() { try rights.remove(name) }
  }
}

/// Something that a right, its key or its secret is asked for, and answers later: on a queue of its
/// own, since the keychain blocks.
enum RightWork {
  /// Where a value goes, or why there is none.
  typealias Completion<Value> = @Sendable (Value?, (any Error)?) -> Void

  /// Does it, and answers.
  static func begin<Value: Sendable>(
    _ completion: @escaping Completion<Value>, _ body: @escaping @Sendable () throws -> Value
  ) {
    DispatchQueue(label: "LocalAuthentication.rights").async {
      do {
        completion(try body(), nil)
      } catch {
        completion(nil, error)
      }
    }
  }

  /// Does it, and answers whether that worked.
  static func begin(
    _ completion: @escaping @Sendable ((any Error)?) -> Void,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    begin({ (_: Bool?, error) in completion(error) }) {
      try body()
      return true
    }
  }

  /// Does it, and waits.
  nonisolated(nonsending) static func value<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "LocalAuthentication.rights").async {
        continuation.resume(with: Result { try body() })
      }
    }
  }
}
