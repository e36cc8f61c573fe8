import Cryptography
import Protocol

extension SecKey {
  /// Whether this half does so by this algorithm.
  func supports(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    let kind = material.kind
    let needsPrivate = operation != .verify && operation != .encrypt
    guard needsPrivate == material.isPrivate else { return false }
    return switch (operation, algorithm.meaning) {
    case (.sign, .signature(let scheme)?), (.verify, .signature(let scheme)?):
      kind.supports(scheme)
    case (.encrypt, .encryption(let scheme)?), (.decrypt, .encryption(let scheme)?):
      kind.supports(scheme)
    case (.keyExchange, .agreement?): kind.family == .curve
    default: false
    }
  }

  /// What an algorithm comes to, if this half does so by it.
  /// - Throws: `errSecParam` where it does not.
  func meaning(
    of algorithm: SecKeyAlgorithm, for operation: SecKeyOperationType
  ) throws(KeyProblem) -> KeyAlgorithm {
    guard let meaning = algorithm.meaning, supports(operation, algorithm) else {
      throw .parameter(
        "\(description) does not do “\(operation)” by \(algorithm.rawValue)",
        hint: "SecKeyIsAlgorithmSupported tells which operations and algorithms fit a key")
    }
    return meaning
  }

  func sign(_ input: Span<UInt8>, _ scheme: SignatureScheme) throws(KeyProblem) -> [UInt8] {
    switch material {
    case .publicKey:
      throw .parameter("a public key signs nothing", hint: "sign with the private half")
    case .privateKey(let key):
      do throws(CryptographyError) {
        return try key.sign(input, scheme)
      } catch {
        throw error.problem("signing")
      }
    case .enclave(let use):
      guard case .ecdsa(let form, let signed) = scheme else {
        throw .parameter(
          "keys of the enclave sign by ECDSA alone", hint: "use an algorithm ecdsaSignature…")
      }
      return try use.sign(input, signed, form)
    }
  }

  func decrypt(
    _ sealed: Span<UInt8>, _ scheme: EncryptionScheme
  ) throws(KeyProblem) -> SecretBytes {
    switch material {
    case .publicKey:
      throw .parameter("a public key decrypts nothing", hint: "decrypt with the private half")
    case .privateKey(let key):
      do throws(CryptographyError) {
        return try key.decrypt(sealed, scheme)
      } catch {
        throw error.problem("decrypting")
      }
    case .enclave(let use):
      guard case .ecies(let hash, let derivesNonce) = scheme else {
        throw .parameter(
          "keys of the enclave decrypt ECIES alone", hint: "use an algorithm eciesEncryption…")
      }
      return try use.decrypt(sealed, hash, derivesNonce: derivesNonce)
    }
  }

  /// The secret shared with another's public key: an x coordinate.
  func sharedSecret(with other: SecKey) throws(KeyProblem) -> SecretBytes {
    let publicKey = other.material.publicKey
    guard publicKey.kind == material.kind else {
      throw .parameter(
        "\(other.description) is not on the curve of \(description)",
        hint: "both sides need keys of one kind and size")
    }
    switch material {
    case .publicKey:
      throw .parameter("two public keys share nothing", hint: "give the private half of one side")
    case .privateKey(let key):
      do throws(CryptographyError) {
        return try key.sharedSecret(with: publicKey)
      } catch {
        throw error.problem("agreeing on a secret")
      }
    case .enclave(let use): return try use.exchange(publicKey.external)
    }
  }
}

extension EnclaveKeyUse {
  /// Bytes of the hash that the enclave signs.
  private static let digestSize = HashFunction.sha256.size

  /// The form of messages that the enclave itself decrypts.
  private static let form = ECIESForm(
    hash: .sha256, derivesNonce: false, coordinateSize: P256PrivateKey.size)

  /// Signs; the hash is made here.
  func sign(
    _ input: Span<UInt8>, _ signed: SignedInput, _ form: ECDSAForm
  ) throws(KeyProblem) -> [UInt8] {
    let digest: [UInt8]
    do throws(CryptographyError) {
      digest = try signed.digest(of: input)
    } catch {
      throw error.problem("signing")
    }
    // ECDSA signs a number: the first 256 bits of what is longer, and what is shorter has zeros in
    // front (FIPS 186-5 §6.4.1). So the enclave, which takes 32 bytes, signs any hash.
    let number =
      [UInt8](repeating: 0, count: max(0, Self.digestSize - digest.count))
      + digest.prefix(Self.digestSize)
    let der = try asked(.sign, number)
    guard form == .rfc4754 else { return der.copied }
    do throws(CryptographyError) {
      return try ECDSASignature(der: der.copied).raw
    } catch {
      throw error.problem("signing")
    }
  }

  /// Decrypts: the form that the enclave knows and takes in one message there, others here with the
  /// secret that the enclave shares with the ephemeral key.
  func decrypt(
    _ sealed: Span<UInt8>, _ hash: HashFunction, derivesNonce: Bool
  ) throws(KeyProblem) -> SecretBytes {
    let form = ECIESForm(
      hash: hash, derivesNonce: derivesNonce, coordinateSize: Self.form.coordinateSize)
    guard let point = form.ephemeralPoint(of: sealed),
      (try? SoftwarePublicKey(external: point.span, of: .curve)) != nil
    else { throw CryptographyError.notAuthentic.problem("decrypting") }
    if form == Self.form, sealed.count <= largestItemSecret {
      do throws(Failure) {
        return try use(.decrypt, sealed.indices.map { sealed[$0] })
      } catch {
        guard error.code == .errSecDecode else { throw .failed(error) }
        throw CryptographyError.notAuthentic.problem("decrypting")
      }
    }
    let secret = try exchange(point)
    do throws(CryptographyError) {
      return try form.open(sealed, sharedSecret: secret)
    } catch {
      throw error.problem("decrypting")
    }
  }

  /// The secret shared with the owner of a point of the curve.
  func exchange(_ point: [UInt8]) throws(KeyProblem) -> SecretBytes {
    try asked(.exchange, point)
  }

  private func asked(
    _ operation: KeyOperation, _ input: [UInt8]
  ) throws(KeyProblem) -> SecretBytes {
    do throws(Failure) {
      return try use(operation, input)
    } catch {
      throw .failed(error)
    }
  }
}
