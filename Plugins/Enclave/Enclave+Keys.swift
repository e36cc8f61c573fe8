import Cryptography
import Protocol

/// Private keys are made here, used here, and sealed in between as private keys only.
extension Enclave {
  /// Makes a private key and seals it. No client can bring a scalar.
  func generateKey(
    _ request: GenerateKey, in context: ContextName
  ) throws(Failure) -> GeneratedKey {
    let protection = request.protection
    guard protection.accessibility.isThisDeviceOnly else {
      throw Failure(
        .errSecParam, "a key never leaves this device, and its class says that it may",
        hint: "use an accessibility class that ends in this-device-only")
    }
    let password = try evidence.appPassword(toSealUnder: protection, in: context)
    let key = try state.platform.randomPrivateKey()
    return GeneratedKey(
      publicKey: key.publicKey.point,
      sealed: try keys.seal(
        key.record.bytes, as: .privateKey, under: protection, with: password))
  }

  /// Uses a private key, or says what has to be proved first. Refuses unusable input before anybody
  /// is asked for a touch.
  func useKey(_ request: UseSealedKey, in context: ContextName) throws(Failure) -> SecretBytes {
    let input = try KeyInput(request.input, for: request.operation)
    let secret = SealedSecret(
      purpose: .privateKey, protection: request.protection, sealed: request.sealed)
    let authorization: Authorization
    do throws(Failure) {
      authorization = try authorize(secret, in: context)
    } catch {
      throw error.ofKey
    }
    switch authorization {
    case .granted(let secret):
      let output = try input.output(of: P256PrivateKey.read(secret.open()))
      let capacity = output.count + 16
      return KeyUsed(output: output).encoded(capacity: capacity)
    case .needed(let needed): return needed.encoded()
    }
  }
}

/// The input of an operation, checked as far as possible without the key.
private enum KeyInput {
  case digest([UInt8])
  case encrypted([UInt8])
  case peer(P256PublicKey)

  init(_ bytes: [UInt8], for operation: KeyOperation) throws(Failure) {
    switch operation {
    case .sign:
      guard bytes.count == SHA256Stream.size else {
        throw Failure(
          .errSecParam,
          "\(bytes.count) bytes are not a SHA-256 hash, which has \(SHA256Stream.size)")
      }
      self = .digest(bytes)
    case .decrypt:
      guard ECIES.overhead...ECIES.overhead + largestItemSecret ~= bytes.count else {
        throw .notEncrypted
      }
      self = .encrypted(bytes)
    case .exchange:
      do throws(CryptographyError) {
        self = .peer(try P256PublicKey(point: bytes))
      } catch .invalidKey {
        throw Failure(
          .errSecParam, "the other side's public key is not a point of P-256 in 65 bytes")
      } catch {
        throw .cryptographyFailed(error)
      }
    }
  }

  func output(of key: borrowing P256PrivateKey) throws(Failure) -> SecretBytes {
    do throws(CryptographyError) {
      switch self {
      case .digest(let hash):
        let signature = try key.signature(forDigest: hash)
        return SecretBytes(copying: signature.span)
      case .encrypted(let message): return try ECIES.open(message.span, with: key)
      case .peer(let other): return try key.sharedSecret(with: other)
      }
    } catch .notAuthentic {
      throw .notEncrypted
    } catch {
      throw .cryptographyFailed(error)
    }
  }
}

extension Failure {
  /// The same failure, in words about a key instead of an item.
  fileprivate var ofKey: Failure {
    let hint = "remove it and make another: authcore key remove, authcore key create"
    return switch self {
    case .damagedItem:
      Failure(.errSecDecode, "the key is damaged, or has been destroyed", hint: hint)
    case .fingersChanged:
      Failure(
        .errSecAuthFailed, "the key is bound to a set of fingers that has changed since",
        hint: hint)
    default: self
    }
  }

  fileprivate static var notEncrypted: Failure {
    Failure(
      .errSecParam,
      "what is to be decrypted was changed, cut, is too long, or was encrypted for another key")
  }
}

extension P256PrivateKey {
  /// The sealed form of a private key: the scalar (32 bytes), then the public point (65), which
  /// takes as long to compute as a signature.
  fileprivate var record: SecretBytes {
    var record = SecretBytes(count: Self.size + P256PublicKey.size)
    record.copy(scalar.bytes)
    record.copy(publicKey.point.span, at: Self.size)
    return record
  }

  /// - Throws: `errSecDecode` for any other form, which only damage explains.
  fileprivate static func read(_ record: consuming SecretBytes) throws(Failure) -> P256PrivateKey {
    guard record.count == size + P256PublicKey.size else { throw .damagedItem }
    let point = (size..<record.count).map { record.bytes[$0] }
    let scalar = record.extracting(0..<size)
    do throws(CryptographyError) {
      return try P256PrivateKey(scalar: scalar, publicKey: P256PublicKey(point: point))
    } catch {
      throw .damagedItem
    }
  }
}

extension EnclavePlatform {
  fileprivate func randomPrivateKey() throws(Failure) -> P256PrivateKey {
    // One in 2³² numbers is no scalar and is drawn again (FIPS 186-5, A.2.2). Sixteen in a row mean
    // a broken generator.
    for _ in 0..<16 {
      let scalar = try random(count: P256PrivateKey.size)
      do throws(CryptographyError) {
        return try P256PrivateKey(scalar: scalar)
      } catch .invalidKey {
        continue
      } catch {
        throw .cryptographyFailed(error)
      }
    }
    throw Failure(.engineFailed, "the enclave's host gives no random bytes a key can be made of")
  }
}
