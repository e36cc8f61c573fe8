import Security

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
