public import Security

/// The private half of a right's key. It serves only while the right is authorized, and nobody is
/// asked for its uses. Any thread.
public final class LAPrivateKey: NSObject, Sendable {
  private let key: SecKey

  /// The half that others may know.
  public let publicKey: LAPublicKey

  init(_ key: SecKey) {
    self.key = key
    // The enclave's word for a private key is made of its public half: there is none without.
    publicKey = LAPublicKey(SecKeyCopyPublicKey(key) ?? key)
  }

  /// Whether it signs by an algorithm.
  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { can(.sign, algorithm) }
  /// Whether it decrypts by an algorithm.
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { can(.decrypt, algorithm) }
  /// Whether it agrees on secrets by an algorithm.
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    can(.keyExchange, algorithm)
  }

  private func can(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, operation, algorithm)
  }

  /// Signs.
  /// - Parameters:
  ///   - data: the message, or the hash where the algorithm is one of a digest.
  ///   - algorithm: one that ``canSign(using:)``.
  ///   - completion: gets the signature, or hears why there is none: what `SecKeyCreateSignature`
  ///     fails with, and while the right is not authorized, that the owner may not be asked. On a
  ///     queue of its own.
  @preconcurrency public func sign(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.signature(of: data, algorithm) }
  }

  /// Signs.
  /// - Parameters:
  ///   - data: the message, or the hash where the algorithm is one of a digest.
  ///   - algorithm: one that ``canSign(using:)``.
  /// - Returns: the signature.
  /// - Throws: as ``sign(_:algorithm:completion:)``.
  public nonisolated(nonsending) func sign(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.signature(of: data, algorithm) }
  }

  /// Decrypts.
  /// - Parameters:
  ///   - data: what the public half has encrypted.
  ///   - algorithm: one that ``canDecrypt(using:)``.
  ///   - completion: gets the message, which is the caller's to wipe, or hears why there is none, as
  ///     of ``sign(_:algorithm:completion:)``. On a queue of its own.
  @preconcurrency public func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.decrypted(data, algorithm) }
  }

  /// Decrypts.
  /// - Parameters:
  ///   - data: what the public half has encrypted.
  ///   - algorithm: one that ``canDecrypt(using:)``.
  /// - Returns: the message, which is the caller's to wipe.
  /// - Throws: as ``sign(_:algorithm:completion:)``.
  public nonisolated(nonsending) func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.decrypted(data, algorithm) }
  }

  /// Agrees on a secret with another's public key.
  /// - Parameters:
  ///   - publicKey: the other's, as ``LAPublicKey/bytes`` gives it.
  ///   - algorithm: one that ``canExchangeKeys(using:)``.
  ///   - parameters: as `SecKeyCopyKeyExchangeResult` takes them.
  ///   - completion: gets the secret, which is the caller's to wipe, or hears why there is none, as
  ///     of ``sign(_:algorithm:completion:)``. On a queue of its own.
  @preconcurrency public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    let parameters = ExchangeParameters(parameters)
    RightWork.begin(completion) { [key] in
      try key.shared(with: publicKey, algorithm, parameters)
    }
  }

  /// Agrees on a secret with another's public key.
  /// - Parameters:
  ///   - publicKey: the other's, as ``LAPublicKey/bytes`` gives it.
  ///   - algorithm: one that ``canExchangeKeys(using:)``.
  ///   - parameters: as `SecKeyCopyKeyExchangeResult` takes them.
  /// - Returns: the secret, which is the caller's to wipe.
  /// - Throws: as ``sign(_:algorithm:completion:)``.
  public nonisolated(nonsending) func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    let parameters = ExchangeParameters(parameters)
    return try await RightWork.value { [key] in
      try key.shared(with: publicKey, algorithm, parameters)
    }
  }
}
