public import Security

/// The public half of a right's key: it may be used by anybody at any time. Any thread.
public final class LAPublicKey: NSObject, Sendable {
  private let key: SecKey

  init(_ key: SecKey) { self.key = key }

  /// Whether it encrypts by an algorithm.
  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .encrypt, algorithm)
  }

  /// Whether it checks signatures of an algorithm.
  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .verify, algorithm)
  }

  /// The key as a point of the curve: 4, x, y; 65 bytes (SEC 1 §2.3.3).
  public var bytes: Data { get async throws { try key.externalBytes() } }

  /// Gives the key's ``bytes``.
  /// - Parameter completion: gets them, or hears why not. On a queue of its own.
  @preconcurrency public func exportBytes(
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.externalBytes() }
  }

  /// Encrypts for the private half.
  /// - Parameters:
  ///   - data: the message.
  ///   - algorithm: one that ``canEncrypt(using:)``.
  ///   - completion: gets what the private half decrypts, or hears why there is none. On a queue of
  ///     its own.
  @preconcurrency public func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.encrypted(data, algorithm) }
  }

  /// Encrypts for the private half.
  /// - Parameters:
  ///   - data: the message.
  ///   - algorithm: one that ``canEncrypt(using:)``.
  /// - Returns: what the private half decrypts.
  /// - Throws: what `SecKeyCreateEncryptedData` fails with.
  public nonisolated(nonsending) func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.encrypted(data, algorithm) }
  }

  /// Checks a signature.
  /// - Parameters:
  ///   - signedData: the message, or the hash where the algorithm is one of a digest.
  ///   - signature: what the private half made of it.
  ///   - algorithm: one that ``canVerify(using:)``.
  ///   - completion: hears why it does not fit; nil where it does. On a queue of its own.
  @preconcurrency public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in
      try key.requireValid(signature, over: signedData, algorithm)
    }
  }

  /// Checks a signature.
  /// - Parameters:
  ///   - signedData: the message, or the hash where the algorithm is one of a digest.
  ///   - signature: what the private half made of it.
  ///   - algorithm: one that ``canVerify(using:)``.
  /// - Throws: `errSecVerifyFailed` of `NSOSStatusErrorDomain` where it does not fit.
  public nonisolated(nonsending) func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm
  ) async throws {
    try await RightWork.value { [key] in
      try key.requireValid(signature, over: signedData, algorithm)
    }
  }
}
