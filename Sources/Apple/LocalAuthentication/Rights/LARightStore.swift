import CoreClient
import Dispatch

/// Saves rights under names of the application. They belong to the application, stay on this
/// device, and are in no backup. Any thread.
public final class LARightStore: NSObject, Sendable {
  public class var shared: LARightStore { theStore }

  private static let theStore = LARightStore()

  private override init() {}

  private var rights: KeptRights { KeptRights(client: .current) }

  /// Loads a saved right.
  /// - Parameters:
  ///   - identifier: its name.
  ///   - completion: receives the right, which is not authorized yet, or an error of
  ///     `NSOSStatusErrorDomain` such as `errSecItemNotFound`. On a queue of its own.
  @preconcurrency public func right(
    forIdentifier identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try rights.right(identifier) }
  }

  /// Loads a saved right, as ``right(forIdentifier:completion:)`` does.
  public nonisolated(nonsending) func right(
    forIdentifier identifier: String
  ) async throws -> LAPersistedRight {
    try await RightWork.value { [rights] in try rights.right(identifier) }
  }

  /// Saves a right: its requirement, and an enclave key that is made for it. Asks nobody.
  /// - Parameters:
  ///   - right: the right.
  ///   - identifier: an unused name.
  ///   - completion: receives the saved right, or an error of `NSOSStatusErrorDomain` such as
  ///     `errSecDuplicateItem`. On a queue of its own.
  @preconcurrency public func saveRight(
    _ right: LARight, identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in
      try Self.save(right, identifier, nil, in: rights)
    }
  }

  /// Saves a right, as ``saveRight(_:identifier:completion:)`` does.
  public nonisolated(nonsending) func saveRight(
    _ right: LARight, identifier: String
  ) async throws -> LAPersistedRight {
    try await RightWork.value { [rights] in try Self.save(right, identifier, nil, in: rights) }
  }

  /// Saves a right with a secret of at most 48 KiB, which the caller wipes; otherwise as
  /// ``saveRight(_:identifier:completion:)`` does.
  @preconcurrency public func saveRight(
    _ right: LARight, identifier: String, secret: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in
      try Self.save(right, identifier, secret, in: rights)
    }
  }

  /// Saves a right with a secret, as ``saveRight(_:identifier:secret:completion:)`` does.
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

  /// Removes a right, its key and its secret, for good. Asks nobody. `completion` receives nil or
  /// the error, on a queue of its own.
  @preconcurrency public func removeRight(
    _ right: LAPersistedRight, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    removeRight(forIdentifier: right.name, completion: completion)
  }

  /// Removes a right, as ``removeRight(_:completion:)`` does.
  public nonisolated(nonsending) func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.name)
  }

  /// Removes the right of a name, as ``removeRight(_:completion:)`` does.
  @preconcurrency public func removeRight(
    forIdentifier identifier: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try rights.remove(identifier) }
  }

  /// Removes the right of a name, as ``removeRight(_:completion:)`` does.
  public nonisolated(nonsending) func removeRight(forIdentifier identifier: String) async throws {
    try await RightWork.value { [rights] in try rights.remove(identifier) }
  }

  /// Removes every right of the application, as ``removeRight(_:completion:)`` does.
  @preconcurrency public func removeAllRights(
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [rights] in try Self.removeAll(of: rights) }
  }

  /// Removes every right of the application, as ``removeRight(_:completion:)`` does.
  public nonisolated(nonsending) func removeAllRights() async throws {
    try await RightWork.value { [rights] in try Self.removeAll(of: rights) }
  }

  private static func removeAll(of rights: KeptRights) throws {
    for name in try rights.names() { try rights.remove(name) }
  }
}

/// Runs work of a right, its key or its secret on a queue of its own, since the keychain blocks.
enum RightWork {
  typealias Completion<Value> = @Sendable (Value?, (any Error)?) -> Void

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

  static func begin(
    _ completion: @escaping @Sendable ((any Error)?) -> Void,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    begin({ (_: Bool?, error) in completion(error) }) {
      try body()
      return true
    }
  }

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
