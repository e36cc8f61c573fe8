import CoreClient
public import CoreFoundationTypes
import Cryptography
import Protocol

/// Makes a private key.
///
/// With `kSecAttrTokenIDSecureEnclave` it is made in the enclave, on P-256, and never leaves it.
/// `kSecAttrAccessControl` of `kSecPrivateKeyAttrs` guards it, and its uses are in the context of
/// `kSecUseAuthenticationContext` if there is one. Without `kSecAttrIsPermanent` it is removed with
/// the ``SecKey``; a program that ends before leaves it behind, and `authcore key list` shows it.
/// Any other key is made in this process, and with `kSecAttrIsPermanent` stored as an item.
/// - Parameters:
///   - parameters: `kSecAttrKeyType`, `kSecAttrKeySizeInBits` (256, 384, 521; RSA: 1,024…8,192),
///     and attributes, also in `kSecPrivateKeyAttrs`. If `kSecPublicKeyAttrs` contains
///     `kSecAttrIsPermanent`, the public half is stored as an item, too.
///   - error: receives an error, which the caller owns.
/// - Returns: the private key, or nil.
@discardableResult public func SecKeyCreateRandomKey(
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  unsafe answer(error) { () throws(KeyProblem) in try KeyPair(parameters).privateKey }
}

/// Makes both halves of a key, as ``SecKeyCreateRandomKey(_:_:)`` does. Returns `errSecSuccess`, or
/// why it failed.
@discardableResult public func SecKeyGeneratePair(
  _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
  _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
  do throws(KeyProblem) {
    let pair = try KeyPair(parameters)
    if let publicKey = unsafe publicKey { unsafe publicKey.pointee = pair.publicKey }
    if let privateKey = unsafe privateKey { unsafe privateKey.pointee = pair.privateKey }
    return errSecSuccess
  } catch {
    return error.status
  }
}

/// Both halves of a new key.
private struct KeyPair {
  let privateKey: SecKey
  let publicKey: SecKey

  init(_ dictionary: CFDictionary) throws(KeyProblem) {
    let own = try KeyParameters(dictionary, half: kSecPrivateKeyAttrs)
    let family = try own.family()
    var key: SecKey
    if own.isInEnclave {
      guard family == .curve, own.size ?? 256 == 256 else {
        throw .parameter(
          "the enclave makes keys on P-256 alone",
          hint: "give kSecAttrKeyTypeECSECPrimeRandom and 256 bits, or leave kSecAttrTokenID out")
      }
      key = try own.keyInEnclave()
    } else {
      key = try own.keyInProcess(family)
      if own.isPermanent == true { key = try own.store(key) }
    }
    privateKey = key
    let other = try KeyParameters(dictionary, half: kSecPublicKeyAttrs)
    let half = SecKey(.publicKey(key.material.publicKey), other.names)
    let attributes = dictionary.object(forKey: kSecPublicKeyAttrs) as? NSDictionary
    let isStored = (attributes?.object(forKey: kSecAttrIsPermanent) as? Bool) == true
    do throws(KeyProblem) {
      publicKey = isStored ? try other.store(half) : half
    } catch {
      if own.isPermanent == true {
        SecItemDelete([kSecClass: kSecClassKey, kSecValueRef: key] as NSDictionary)
      }
      throw error
    }
  }
}

extension KeyParameters {
  fileprivate func keyInProcess(_ family: SoftwareKeyFamily) throws(KeyProblem) -> SecKey {
    guard let size else {
      throw .parameter("the size of the key is not stated", hint: "give kSecAttrKeySizeInBits")
    }
    let kind: SoftwareKeyKind
    switch family {
    case .rsa:
      guard SoftwareKeyKind.rsaSizes.contains(size), size.isMultiple(of: 8) else {
        throw .parameter(
          "RSA keys of \(size) bits are not supported",
          hint: "use 2048, 3072 or 4096 bits; 1024…8192 are possible")
      }
      kind = .rsa(bits: size)
    case .curve:
      guard let curve = EllipticCurve(sizeInBits: size) else {
        throw .parameter("there is no curve of \(size) bits", hint: "use 256, 384 or 521 bits")
      }
      kind = .curve(curve)
    }
    do throws(CryptographyError) {
      return SecKey(.privateKey(try SoftwarePrivateKey(generating: kind)), names)
    } catch {
      throw error.problem("making a key")
    }
  }

  fileprivate func keyInEnclave() throws(KeyProblem) -> SecKey {
    let isTemporary = isPermanent != true
    let said = accessControl?.protection ?? accessibility
    // Keys never leave the device: a class of items that may is replaced by the one with the same
    // lock.
    let protection = said?.accessibility.onThisDeviceOnly ?? .whenUnlockedThisDeviceOnly
    do throws(Failure) {
      let random = try Self.randomDigits()
      // Without a tag the keychain demands a unique name.
      let needsName = !isTemporary && names.applicationTag.isEmpty
      var message = CreateKey(
        name: needsName ? "\(names.label.isEmpty ? "key" : names.label) \(random)" : "",
        accessibility: protection, accessControl: accessControl?.accessControl)
      message.applicationTag =
        isTemporary
        ? EnclaveKeyUse.temporaryTag + Array(random.utf8) : names.applicationTag
      message.label = names.label
      message.group = group ?? ""
      let created: KeyCreated = try ApplicationClient.current.ask(
        message, .forbidden, in: authentication.current?.context)
      SharedGroups.join(group)
      return try SecKey(created.key, authentication, isTemporary: isTemporary)
    } catch {
      throw .failed(error)
    }
  }

  private static func randomDigits() throws(Failure) -> String {
    do throws(CryptographyError) {
      return try RandomBytes.open(count: 8).map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
    } catch {
      throw Failure(.unsupported, "the kernel gives no random bytes", hint: "restart the machine")
    }
  }

  /// Stores a key as an item, and returns the stored one.
  fileprivate func store(_ key: SecKey) throws(KeyProblem) -> SecKey {
    var item = stored
    item[kSecClass as String] = kSecClassKey
    item[kSecValueRef as String] = key
    item[kSecReturnRef as String] = NSNumber(value: 1)
    var result: CFTypeRef?
    let status = unsafe SecItemAdd(item as NSDictionary, &result)
    guard status == errSecSuccess, let kept = result as? SecKey else {
      throw .status(
        status == errSecSuccess ? errSecInternalComponent : status,
        "the key was made and could not be stored",
        hint: "SecCopyErrorMessageString says why; or leave kSecAttrIsPermanent out")
    }
    return kept
  }
}
