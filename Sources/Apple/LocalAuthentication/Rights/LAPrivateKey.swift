public import Security

/// The private half of a right's key. It can be used only while the right is authorized, and its
/// uses ask nobody. Any thread.
public final class LAPrivateKey: NSObject, Sendable {
  private let key: SecKey

  /// The public half.
  public let publicKey: LAPublicKey

  init(_ key: SecKey) {
    self.key = key
    // The enclave describes a private key by its public half, so there always is one.
    publicKey = LAPublicKey(SecKeyCopyPublicKey(key) ?? key)
  }

  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { can(.sign, algorithm) }
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { can(.decrypt, algorithm) }
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    can(.keyExchange, algorithm)
  }

  private func can(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, operation, algorithm)
  }

  /// Signs.
  /// - Parameters:
  ///   - data: the message, or the hash if the algorithm takes a digest.
  ///   - algorithm: one that ``canSign(using:)``.
  ///   - completion: receives the signature or an error: that of `SecKeyCreateSignature` or, while
  ///     the right is not authorized, that the owner may not be asked. On a queue of its own.
  @preconcurrency public func sign(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.signature(of: data, algorithm) }
  }

  /// Signs, as ``sign(_:algorithm:completion:)`` does.
  public nonisolated(nonsending) func sign(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.signature(of: data, algorithm) }
  }

  /// Decrypts.
  /// - Parameters:
  ///   - data: the output of the public half.
  ///   - algorithm: one that ``canDecrypt(using:)``.
  ///   - completion: receives the message, which the caller wipes, or an error, as for
  ///     ``sign(_:algorithm:completion:)``. On a queue of its own.
  @preconcurrency public func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.decrypted(data, algorithm) }
  }

  /// Decrypts, as ``decrypt(_:algorithm:completion:)`` does. The caller wipes the message.
  public nonisolated(nonsending) func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.decrypted(data, algorithm) }
  }

  /// Agrees on a secret with another public key.
  /// - Parameters:
  ///   - publicKey: the other key's ``LAPublicKey/bytes``.
  ///   - algorithm: one that ``canExchangeKeys(using:)``.
  ///   - parameters: as `SecKeyCopyKeyExchangeResult` takes them.
  ///   - completion: receives the secret, which the caller wipes, or an error, as for
  ///     ``sign(_:algorithm:completion:)``. On a queue of its own.
  @preconcurrency public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    let parameters = ExchangeParameters(parameters)
    RightWork.begin(completion) { [key] in
      try key.shared(with: publicKey, algorithm, parameters)
    }
  }

  /// Agrees on a secret, as ``exchangeKeys(publicKey:algorithm:parameters:completion:)`` does. The
  /// caller wipes the secret.
  public nonisolated(nonsending) func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    let parameters = ExchangeParameters(parameters)
    return try await RightWork.value { [key] in
      try key.shared(with: publicKey, algorithm, parameters)
    }
  }
}

/// The public half of a right's key, which may always be used. Any thread.
public final class LAPublicKey: NSObject, Sendable {
  private let key: SecKey

  init(_ key: SecKey) { self.key = key }

  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .encrypt, algorithm)
  }

  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .verify, algorithm)
  }

  /// The key as a point of the curve: 4, x, y; 65 bytes (SEC 1 §2.3.3).
  public var bytes: Data { get async throws { try key.externalBytes() } }

  /// Passes the key's ``bytes`` or an error to `completion`, on a queue of its own.
  @preconcurrency public func exportBytes(
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.externalBytes() }
  }

  /// Encrypts for the private half.
  /// - Parameters:
  ///   - data: the message.
  ///   - algorithm: one that ``canEncrypt(using:)``.
  ///   - completion: receives the result or the error of `SecKeyCreateEncryptedData`. On a queue of
  ///     its own.
  @preconcurrency public func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in try key.encrypted(data, algorithm) }
  }

  /// Encrypts, as ``encrypt(_:algorithm:completion:)`` does.
  public nonisolated(nonsending) func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm
  ) async throws -> Data {
    try await RightWork.value { [key] in try key.encrypted(data, algorithm) }
  }

  /// Checks a signature.
  /// - Parameters:
  ///   - signedData: the message, or the hash if the algorithm takes a digest.
  ///   - signature: the private half's signature of it.
  ///   - algorithm: one that ``canVerify(using:)``.
  ///   - completion: receives nil if it fits, else `errSecVerifyFailed` of `NSOSStatusErrorDomain`.
  ///     On a queue of its own.
  @preconcurrency public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    RightWork.begin(completion) { [key] in
      try key.requireValid(signature, over: signedData, algorithm)
    }
  }

  /// Checks a signature, as ``verify(_:signature:algorithm:completion:)`` does.
  public nonisolated(nonsending) func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm
  ) async throws {
    try await RightWork.value { [key] in
      try key.requireValid(signature, over: signedData, algorithm)
    }
  }
}

/// The parameters of `SecKeyCopyKeyExchangeResult`.
private struct ExchangeParameters: @unchecked Sendable {
  // Sendable: a private copy of texts, numbers and data.
  fileprivate let dictionary: [AnyHashable: Any]

  init(_ dictionary: [AnyHashable: Any]) { self.dictionary = dictionary }
}

// The functions of Security for keys, with thrown errors.
extension SecKey {
  private typealias Problem = UnsafeMutablePointer<Unmanaged<CFError>?>

  /// The result of a function, or its error.
  private func required<Value>(_ function: (Problem) -> Value?) throws -> Value {
    var problem: Unmanaged<CFError>?
    guard let value = unsafe function(&problem) else {
      throw unsafe problem?.takeRetainedValue() ?? NSError()
    }
    return value
  }

  fileprivate func signature(of data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateSignature(self, algorithm, data as NSData, $0) }
      as Data
  }

  fileprivate func requireValid(
    _ signature: Data, over data: Data, _ algorithm: SecKeyAlgorithm
  ) throws {
    _ = try unsafe required { problem in
      unsafe SecKeyVerifySignature(self, algorithm, data as NSData, signature as NSData, problem)
        ? true : nil
    }
  }

  fileprivate func encrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateEncryptedData(self, algorithm, data as NSData, $0) }
      as Data
  }

  fileprivate func decrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateDecryptedData(self, algorithm, data as NSData, $0) }
      as Data
  }

  fileprivate func externalBytes() throws -> Data {
    try unsafe required { unsafe SecKeyCopyExternalRepresentation(self, $0) } as Data
  }

  /// The secret shared with another public key.
  fileprivate func shared(
    with publicKey: Data, _ algorithm: SecKeyAlgorithm, _ parameters: ExchangeParameters
  ) throws -> Data {
    let kind: [String: Any] = [
      kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
      kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
    ]
    let other = try unsafe required {
      unsafe SecKeyCreateWithData(publicKey as NSData, kind as CFDictionary, $0)
    }
    return try unsafe required {
      unsafe SecKeyCopyKeyExchangeResult(
        self, algorithm, other, parameters.dictionary as NSDictionary, $0)
    } as Data
  }
}
