import Foundation
import Security
import Testing

/// Keys of a process, which need no core.
@Suite("SecKey in this process", .timeLimit(.minutes(60)))
struct SoftwareKeyTests {
  private let message = Data("said".utf8) as NSData

  @Test(
    "a key is made of each size, written, read again and equal; halves are not",
    arguments: [
      256, 384, 521,
    ])
  func lifeOnCurves(bits: Int) throws {
    let key = try #require(makeKey(kSecAttrKeyTypeEC, bits))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    #expect(SecKeyGetBlockSize(key) == (bits + 7) / 8)
    let bytes = try #require(exported(key))
    let open = try #require(exported(publicKey))
    #expect(bytes.length == 1 + 3 * ((bits + 7) / 8))
    #expect((bytes as Data).prefix(open.length) == open as Data)
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: bits,
    ]
    let again = SecKeyCreateWithData(
      bytes, attributes.with([kSecAttrKeyClass: kSecAttrKeyClassPrivate]) as CFDictionary, nil)
    let half = SecKeyCreateWithData(
      open, attributes.with([kSecAttrKeyClass: kSecAttrKeyClassPublic]) as CFDictionary, nil)
    #expect(again == key && again?.hash == key.hash)
    #expect(half == publicKey && half != key)
    #expect(CFGetTypeID(key) == SecKeyGetTypeID())
    #expect(makeKey(kSecAttrKeyTypeEC, bits) != key)
  }

  @Test("an RSA key is made, signs and decrypts by every algorithm that fits it")
  func rsa() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeRSA, 1024))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    #expect(SecKeyGetBlockSize(publicKey) == 128)
    let signature = try #require(
      signed(key, .rsaSignatureMessagePKCS1v15SHA512, message))
    #expect(
      fits(
        publicKey, .rsaSignatureMessagePKCS1v15SHA512, message, signature))
    let sealed = try #require(
      encrypted(publicKey, .rsaEncryptionOAEPSHA256AESGCM, message))
    #expect(
      decrypted(key, .rsaEncryptionOAEPSHA256AESGCM, sealed) == message)
    // 2 · 64 + 2 bytes do not fit into 128.
    #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA512))
    #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, .rsaEncryptionOAEPSHA512))
    #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, .rsaEncryptionOAEPSHA384))
  }

  @Test("each operation is for one half and one kind of key")
  func support() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let algorithms: [(SecKeyOperationType, SecKeyAlgorithm, Bool)] = [
      (.sign, .ecdsaSignatureMessageX962SHA256, true),
      (.verify, .ecdsaSignatureDigestX962SHA384, false),
      (.decrypt, .eciesEncryptionStandardX963SHA512AESGCM, true),
      (.encrypt, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, false),
      (.keyExchange, .ecdhKeyExchangeStandard, true),
    ]
    for (operation, algorithm, isPrivate) in algorithms {
      #expect(SecKeyIsAlgorithmSupported(key, operation, algorithm) == isPrivate)
      #expect(SecKeyIsAlgorithmSupported(publicKey, operation, algorithm) != isPrivate)
    }
    #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureRaw))
    #expect(!SecKeyIsAlgorithmSupported(key, .sign, .eciesEncryptionStandardX963SHA256AESGCM))
    let unknown = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:message-X962:MD5" as CFString)
    #expect(!SecKeyIsAlgorithmSupported(key, .sign, unknown))
    let refused = unsafe outcome { unsafe SecKeyCreateSignature(key, unknown, message, $0) }
    #expect(refused.value == nil && refused.code == "\(NSOSStatusErrorDomain) \(errSecParam)")
    #expect(refused.error?.localizedRecoverySuggestion?.contains("IsAlgorithmSupported") == true)
  }

  @Test("algorithms are equal by their text, and have Apple's")
  func algorithmTexts() {
    #expect(
      SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM.rawValue as String
        == "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    #expect(
      SecKeyAlgorithm(rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24" as CFString)
        == .rsaSignatureDigestPSSSHA224)
    #expect(SecKeyAlgorithm.ecdsaSignatureRFC4754 != .ecdsaSignatureDigestRFC4754)
    #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue as String == "requestedSize")
  }

  @Test("a signature that does not fit is errSecVerifyFailed")
  func wrongSignature() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let signature = try #require(
      signed(key, .ecdsaSignatureMessageRFC4754SHA256, message))
    #expect(signature.length == 64)
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256
    #expect(fits(publicKey, algorithm, message, signature))
    for wrong in [Data(), Data(repeating: 0, count: 64), Data((signature as Data).dropLast())] {
      let failed = unsafe outcome {
        unsafe SecKeyVerifySignature(publicKey, algorithm, message, wrong as NSData, $0)
      }
      #expect(!failed.value && failed.error?.code == Int(errSecVerifyFailed))
    }
    let other = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    #expect(!fits(other, algorithm, message, signature))
  }

  @Test("both sides of an exchange have the same bytes, as many as were asked for")
  func exchange() throws {
    let one = try #require(makeKey(kSecAttrKeyTypeEC, 384))
    let two = try #require(makeKey(kSecAttrKeyTypeEC, 384))
    let (openOne, openTwo) = (
      try #require(SecKeyCopyPublicKey(one)), try #require(SecKeyCopyPublicKey(two))
    )
    let parameters: [SecKeyKeyExchangeParameter: Any] = [
      .requestedSize: 77, .sharedInfo: Data("both".utf8),
    ]
    let raw = Dictionary(uniqueKeysWithValues: parameters.map { ($0.key.rawValue, $0.value) })
    let algorithm = SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256
    let first = agreed(one, algorithm, openTwo, raw as CFDictionary)
    let second = agreed(two, algorithm, openOne, raw as CFDictionary)
    #expect(first?.length == 77 && first == second)
    let plain = agreed(
      one, .ecdhKeyExchangeStandard, openTwo, NSDictionary())
    #expect(plain?.length == 48)
    for wrong: [CFString: Any] in [
      [:], ["requestedSize" as CFString: 0], ["requestedSize" as CFString: -1],
      ["requestedSize" as CFString: Int.max], ["requestedSize" as CFString: "many"],
      ["requestedSize" as CFString: 32, "sharedInfo" as CFString: 7],
    ] {
      let refused = unsafe outcome {
        unsafe SecKeyCopyKeyExchangeResult(one, algorithm, openTwo, wrong as CFDictionary, $0)
      }
      #expect(refused.value == nil && refused.error?.code == Int(errSecParam))
    }
    let small = try #require(makeKey(kSecAttrKeyTypeEC, 256).flatMap { SecKeyCopyPublicKey($0) })
    let refused = unsafe outcome {
      unsafe SecKeyCopyKeyExchangeResult(
        one, .ecdhKeyExchangeStandard, small, NSDictionary(), $0)
    }
    #expect(refused.error?.code == Int(errSecParam))
  }

  @Test("a key says what kind it is by Apple's constants, its sizes and abilities by numbers")
  func attributes() throws {
    let key = try #require(
      makeKey(
        kSecAttrKeyTypeEC, 256,
        [kSecAttrLabel: "mine", kSecAttrApplicationTag: Data("tag".utf8)]))
    let found = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
    #expect(found[kSecAttrKeyType] as? String == kSecAttrKeyTypeEC as String)
    #expect(found[kSecAttrKeySizeInBits] as? Int == 256)
    #expect(found[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
    #expect(found[kSecAttrCanSign] as? Bool == true && found[kSecAttrCanSign] as? Int == 1)
    #expect(found[kSecAttrCanEncrypt] as? Bool == false)
    #expect(found[kSecAttrIsPermanent] as? Bool == false)
    #expect(found[kSecAttrLabel] as? String == "mine")
    #expect(found[kSecAttrApplicationTag] as? Data == Data("tag".utf8))
    #expect(found[kSecValueData] == nil && found[kSecAttrAccessGroup] == nil)
    let half = try #require(SecKeyCopyPublicKey(key))
    let open = try #require(SecKeyCopyAttributes(half) as? [CFString: Any])
    #expect(open[kSecAttrApplicationLabel] as? Data == found[kSecAttrApplicationLabel] as? Data)
    #expect((open[kSecAttrApplicationLabel] as? Data)?.count == 20)
    #expect(
      open[kSecValueData] as? Data == exported(half) as Data?)
    #expect(open[kSecAttrKeyClass] as? String == kSecAttrKeyClassPublic as String)
  }

  @Test("the functions without algorithms do the same as those with them")
  func paddings() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeRSA, 1024))
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let digest = [UInt8](repeating: 7, count: 32)
    var (signature, count) = ([UInt8](repeating: 0, count: 128), 128)
    #expect(
      unsafe SecKeyRawSign(key, .PKCS1SHA256, digest, 32, &signature, &count) == errSecSuccess)
    #expect(
      fits(
        publicKey, .rsaSignatureDigestPKCS1v15SHA256, Data(digest) as NSData,
        Data(signature) as NSData))
    #expect(
      unsafe SecKeyRawVerify(publicKey, .PKCS1SHA256, digest, 32, signature, 128)
        == errSecSuccess)
    #expect(
      unsafe SecKeyRawVerify(publicKey, .PKCS1SHA256, digest, 31, signature, 128) == errSecParam)
    signature[5] ^= 1
    #expect(
      unsafe SecKeyRawVerify(publicKey, .PKCS1SHA256, digest, 32, signature, 128)
        == errSSLCrypto)
    #expect(errSSLCrypto == -9809)
    count = 127
    #expect(
      unsafe SecKeyRawSign(key, .PKCS1, digest, 32, &signature, &count) == errSecBufferTooSmall)
    #expect(unsafe SecKeyRawSign(key, .PKCS1MD5, digest, 16, &signature, &count) == errSecParam)
    #expect(
      unsafe SecKeyRawSign(publicKey, .PKCS1, digest, 32, &signature, &count) == errSecParam)
    for padding: SecPadding in [.PKCS1, .OAEP] {
      var (sealed, opened) = ([UInt8](repeating: 0, count: 128), [UInt8](repeating: 0, count: 128))
      var (sealedCount, openedCount) = (128, 128)
      #expect(
        unsafe SecKeyEncrypt(publicKey, padding, digest, 32, &sealed, &sealedCount)
          == errSecSuccess)
      #expect(
        unsafe SecKeyDecrypt(key, padding, sealed, sealedCount, &opened, &openedCount)
          == errSecSuccess)
      #expect(opened.prefix(openedCount).elementsEqual(digest))
    }
    let curve = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    count = 128
    #expect(unsafe SecKeyRawSign(curve, .sigRaw, digest, 32, &signature, &count) == errSecSuccess)
    #expect(count == 64)
  }

  @Test("a pair is made of attributes of both halves")
  func pair() {
    var (publicKey, privateKey): (SecKey?, SecKey?)
    let parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
      kSecPublicKeyAttrs: [kSecAttrLabel: "open"], kSecPrivateKeyAttrs: [kSecAttrLabel: "closed"],
    ]
    #expect(
      unsafe SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey)
        == errSecSuccess)
    let labels = [publicKey, privateKey].map {
      $0.flatMap { SecKeyCopyAttributes($0) as? [CFString: Any] }?[kSecAttrLabel] as? String
    }
    #expect(labels == ["open", "closed"])
    #expect(privateKey.flatMap { SecKeyCopyPublicKey($0) } == publicKey)
  }

  @Test("parameters that make no key are refused with a hint")
  func wrongParameters() {
    let wrong: [[CFString: Any]] = [
      [:], [kSecAttrKeyType: kSecAttrKeyTypeEC],
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 255],
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: Int.max],
      [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 512],
      [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: "huge"],
      [kSecAttrKeyType: Data(), kSecAttrKeySizeInBits: 256],
      [kSecAttrKeyType: kSecAttrKeyTypeEd25519, kSecAttrKeySizeInBits: 256],
      [kSecAttrKeyType: "EC", kSecAttrKeySizeInBits: 256],
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: 7],
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrLabel: 7],
      [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256, kSecAttrTokenID: "other"],
      [
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 384,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
      ],
      [
        kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
      ],
    ]
    for parameters in wrong {
      let refused = unsafe outcome {
        unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0)
      }
      #expect(refused.value == nil)
      #expect(refused.error?.domain == NSOSStatusErrorDomain)
      #expect([errSecParam, errSecUnimplemented].contains(OSStatus(refused.error?.code ?? 0)))
      #expect(refused.error?.localizedRecoverySuggestion?.isEmpty == false)
    }
  }

  @Test("bytes that are not a key, or not the stated one, are refused")
  func wrongBytes() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeEC, 256))
    let bytes = try #require(exported(key)) as Data
    let kind: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    ]
    let wrong: [(Data, [CFString: Any])] = [
      (Data(), kind), (bytes.dropLast(), kind), (bytes + [0], kind),
      (bytes, kind.with([kSecAttrKeyClass: kSecAttrKeyClassPublic])),
      (bytes, kind.with([kSecAttrKeyClass: kSecAttrKeyClassSymmetric])),
      (bytes, kind.with([kSecAttrKeyType: kSecAttrKeyTypeRSA])),
      (bytes, [kSecAttrKeyType: kSecAttrKeyTypeEC]), (bytes, [:]),
      (bytes, kind.with([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])),
      (Data(repeating: 0x30, count: 1 << 20), kind.with([kSecAttrKeyType: kSecAttrKeyTypeRSA])),
    ]
    for (data, attributes) in wrong {
      let refused = unsafe outcome {
        unsafe SecKeyCreateWithData(data as NSData, attributes as CFDictionary, $0)
      }
      #expect(refused.value == nil && refused.error != nil, "\(attributes)")
    }
  }

  @Test("bytes say how large their key is, whatever is said of it")
  func statedSize() throws {
    let key = try #require(makeKey(kSecAttrKeyTypeRSA, 1024))
    let half = try #require(SecKeyCopyPublicKey(key))
    let bytes = try #require(exported(half)) as Data
    let made = SecKeyCreateWithData(
      bytes as NSData,
      [
        kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        kSecAttrKeySizeInBits: NSNumber(value: bytes.count * 8), kSecReturnPersistentRef: true,
      ] as [CFString: Any] as CFDictionary, nil)
    let again = try #require(made)
    #expect(again == half)
    let attributes = try #require(SecKeyCopyAttributes(again) as? [CFString: Any])
    #expect(attributes[kSecAttrKeySizeInBits] as? Int == 1024)
  }
}
