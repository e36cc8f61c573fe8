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
  ///   - data: the message, or the hash if the algorithm is one of a digest.
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
  ///   - data: the message, or the hash if the algorithm is one of a digest.
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
  ///   - signedData: the message, or the hash if the algorithm is one of a digest.
  ///   - signature: what the private half made of it.
  ///   - algorithm: one that ``canVerify(using:)``.
  ///   - completion: hears why it does not fit; nil if it does. On a queue of its own.
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
  ///   - signedData: the message, or the hash if the algorithm is one of a digest.
  ///   - signature: what the private half made of it.
  ///   - algorithm: one that ``canVerify(using:)``.
  /// - Throws: `errSecVerifyFailed` of `NSOSStatusErrorDomain` if it does not fit.
  public nonisolated(nonsending) func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm
  ) async throws {
    try await RightWork.value { [key] in
      try key.requireValid(signature, over: signedData, algorithm)
    }
  }
}

/// What `SecKeyCopyKeyExchangeResult` takes beside two keys.
struct ExchangeParameters: @unchecked Sendable {
  // Sendable: a copy whose values nobody else has a use for; they are texts, numbers and data.
  fileprivate let dictionary: [AnyHashable: Any]

  init(_ dictionary: [AnyHashable: Any]) { self.dictionary = dictionary }
}

// The functions of Security for keys, with errors that are thrown.
extension SecKey {
  private typealias Problem = UnsafeMutablePointer<Unmanaged<CFError>?>

  /// What a function gives.
  /// - Throws: what it says instead.
  private func required<Value>(_ function: (Problem) -> Value?) throws -> Value {
    var problem: Unmanaged<CFError>?
    guard let value = unsafe function(&problem) else {
      throw unsafe problem?.takeRetainedValue() ?? NSError()
    }
    return value
  }

  func signature(of data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateSignature(self, algorithm, data as NSData, $0) }
      as Data
  }

  func requireValid(
    _ signature: Data, over data: Data, _ algorithm: SecKeyAlgorithm
  ) throws {
    _ = try unsafe required { problem in
      unsafe SecKeyVerifySignature(self, algorithm, data as NSData, signature as NSData, problem)
        ? true : nil
    }
  }

  func encrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateEncryptedData(self, algorithm, data as NSData, $0) }
      as Data
  }

  func decrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try unsafe required { unsafe SecKeyCreateDecryptedData(self, algorithm, data as NSData, $0) }
      as Data
  }

  func externalBytes() throws -> Data {
    try unsafe required { unsafe SecKeyCopyExternalRepresentation(self, $0) } as Data
  }

  /// The secret shared with the owner of a public key of this kind.
  func shared(
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
