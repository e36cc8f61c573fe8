import Dispatch

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
