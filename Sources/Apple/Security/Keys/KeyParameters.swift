import CoreFoundationTypes
import Cryptography
import Protocol

/// The description of a key that is made or read.
struct KeyParameters {
  /// A number of `kSecAttrKeyType…`, or nil if not stated.
  private var type: Int?
  /// `kSecAttrKeySizeInBits`.
  private(set) var size: Int?
  /// Which half (`kSecAttrKeyClass`), or nil if not stated.
  private(set) var isPrivate: Bool?
  /// Whether the private half is in the enclave.
  private(set) var isInEnclave = false
  private(set) var isPermanent: Bool?
  private(set) var names = KeyNames()
  private(set) var accessControl: SecAccessControl?
  private(set) var accessibility: AccessibilityValue?
  private(set) var group: String?
  private(set) var authentication = KeyAuthentication.none
  /// The entries that are passed to `SecItemAdd` if the key is stored.
  private(set) var stored: [String: Any] = [:]

  /// Reads a dictionary, and then the one for a half if there is one, which prevails.
  /// - Throws: `errSecParam` for values of the wrong type.
  init(_ dictionary: CFDictionary, half: CFString? = nil) throws(KeyProblem) {
    try read(dictionary)
    guard let half, let own = dictionary.object(forKey: half) else { return }
    guard let own = own as? NSDictionary else { throw Self.wrong(half) }
    try read(own)
  }

  private static let kept: Set<String> = Set(
    [
      kSecAttrLabel, kSecAttrApplicationTag, kSecAttrAccessGroup, kSecAttrAccessible,
      kSecAttrAccessControl, kSecAttrSynchronizable, kSecUseAuthenticationContext,
      kSecUseAuthenticationUI, kSecUseOperationPrompt, kSecAttrCanEncrypt, kSecAttrCanDecrypt,
      kSecAttrCanDerive, kSecAttrCanSign, kSecAttrCanVerify, kSecAttrCanWrap, kSecAttrCanUnwrap,
      kSecAttrStartDate, kSecAttrEndDate, kSecAttrKeyCreator, kSecUseDataProtectionKeychain,
    ].map { $0 as String })

  private mutating func read(_ dictionary: NSDictionary) throws(KeyProblem) {
    for (key, value) in dictionary {
      guard let key = key as? String else {
        throw .parameter("a key of the dictionary is not a text", hint: "use the constants kSec…")
      }
      if Self.kept.contains(key) { stored[key] = value }
      try read(key as NSString, value)
    }
  }

  private mutating func read(_ key: CFString, _ value: Any) throws(KeyProblem) {
    switch key {
    case kSecAttrKeyType: type = try Self.number(value, key)
    case kSecAttrKeySizeInBits: size = try Self.number(value, key)
    case kSecAttrKeyClass:
      let half = try Self.number(value, key)
      guard half == 0 || half == 1 else {
        throw .status(
          errSecUnimplemented, "symmetric keys are not supported",
          hint: "give kSecAttrKeyClassPublic or kSecAttrKeyClassPrivate")
      }
      isPrivate = half == 1
    case kSecAttrTokenID:
      guard let text = value as? String else { throw Self.wrong(key) }
      guard text == kSecAttrTokenIDSecureEnclave as String else {
        throw .status(
          errSecUnimplemented, "the token \(text) is not supported",
          hint: "give kSecAttrTokenIDSecureEnclave, or leave kSecAttrTokenID out")
      }
      isInEnclave = true
    case kSecAttrIsPermanent: isPermanent = try Self.flag(value, key)
    case kSecAttrLabel:
      guard let text = value as? String else { throw Self.wrong(key) }
      names.label = text
    case kSecAttrApplicationTag: names.applicationTag = try Self.bytes(value, key)
    case kSecAttrAccessGroup:
      guard let text = value as? String else { throw Self.wrong(key) }
      group = text
    case kSecAttrAccessControl:
      guard let control = value as? SecAccessControl else { throw Self.wrong(key) }
      accessControl = control
    case kSecAttrAccessible:
      guard let text = value as? String, let known = AccessibilityValue(text) else {
        throw Self.wrong(key)
      }
      accessibility = known
    case kSecUseAuthenticationContext:
      guard let context = value as? any _AuthenticationContext else { throw Self.wrong(key) }
      authentication = .context(context)
    default: break
    }
  }

  /// Which family of keys.
  /// - Throws: `errSecParam` if it is not stated, `errSecUnimplemented` for other kinds.
  func family() throws(KeyProblem) -> SoftwareKeyFamily {
    switch type {
    case nil:
      throw .parameter(
        "the kind of key is not stated",
        hint: "give kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom or kSecAttrKeyTypeRSA")
    case 73?: return .curve
    case 42?: return .rsa
    case let other?:
      throw .status(
        errSecUnimplemented, "keys of the kind \(other) are not supported",
        hint: "use kSecAttrKeyTypeECSECPrimeRandom or kSecAttrKeyTypeRSA")
    }
  }

  private static func wrong(_ key: CFString) -> KeyProblem {
    .parameter(
      "\(key) has a value of the wrong type", hint: "see the documentation of the constant")
  }

  /// A number, also as a text of digits, as the values of `kSecAttrKeyType` are.
  private static func number(_ value: Any, _ key: CFString) throws(KeyProblem) -> Int {
    if let text = value as? String, let number = Int(text) { return number }
    guard let number = value as? NSNumber, let whole = Int(exactly: number) else {
      throw wrong(key)
    }
    return whole
  }

  private static func flag(_ value: Any, _ key: CFString) throws(KeyProblem) -> Bool {
    do throws(RequestProblem) {
      return try AttributeName.flag(value)
    } catch {
      throw wrong(key)
    }
  }

  private static func bytes(_ value: Any, _ key: CFString) throws(KeyProblem) -> [UInt8] {
    if let data = value as? Data { return [UInt8](data) }
    guard let text = value as? String else { throw wrong(key) }
    return Array(text.utf8)
  }
}

/// Why a function of SecKey failed.
enum KeyProblem: Error {
  /// An error of Security: its number, a sentence and a hint.
  case status(OSStatus, String, hint: String)
  /// A failure of core, keychain or enclave.
  case failed(Failure)

  /// The error for applications. Errors of an evaluation are in LocalAuthentication's domain with
  /// its numbers, as on Apple's systems for enclave keys (userCancel is −2); all others are an
  /// `OSStatus`.
  var error: NSError {
    switch self {
    case .status(let status, let message, let hint):
      return NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [
          NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: hint,
        ])
    case .failed(let failure):
      guard let number = failure.evaluationNumber else { return failure.statusError }
      var information: [String: Any] = [NSLocalizedDescriptionKey: failure.message]
      information[NSLocalizedRecoverySuggestionErrorKey] = failure.hint
      return NSError(
        domain: "com.apple.LocalAuthentication", code: Int(number), userInfo: information)
    }
  }

  /// The status, for functions that only return that.
  var status: OSStatus {
    switch self {
    case .status(let status, _, _): status
    case .failed(let failure): failure.status
    }
  }

  static func parameter(_ message: String, hint: String) -> KeyProblem {
    .status(errSecParam, message, hint: hint)
  }
}

extension Failure {
  /// Its number as an error of evaluations, or nil if it is not one.
  fileprivate var evaluationNumber: Int32? {
    switch code {
    case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet,
      .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext,
      .biometryNotPaired, .biometryDisconnected, .notInteractive:
      code.number
    case .timedOut: FailureCode.systemCancel.number
    default: nil
    }
  }
}

extension CryptographyError {
  /// The problem for applications; `purpose` says what was being done.
  func problem(_ purpose: String) -> KeyProblem {
    switch self {
    case .wrongSize(let field, let expected, let found):
      .parameter(
        "\(purpose): the \(field) has \(found) bytes where \(expected) are needed",
        hint: "give \(expected) bytes")
    case .invalidParameter(let field):
      .parameter(
        "\(purpose): the \(field) does not fit this key",
        hint: "check its length and the algorithm; SecKeyIsAlgorithmSupported tells which fit")
    case .notAuthentic:
      .parameter(
        "\(purpose): these bytes were not encrypted for this key by this algorithm, or were changed",
        hint: "use the algorithm, the key and all bytes of the sender")
    case .invalidKey:
      .parameter(
        "\(purpose): the bytes are not such a key",
        hint: "give X9.63 for elliptic curves, PKCS #1 in DER for RSA")
    case .libraryFailed, .randomUnavailable:
      .status(
        errSecInternalComponent, "\(purpose): libcrypto failed (\(self))",
        hint: "try again; if it stays so, check the installation of libcrypto 3")
    }
  }
}

/// Runs `body`, and adds to its failure what was being done.
func doing<Result: ~Copyable>(
  _ purpose: String, _ body: () throws(CryptographyError) -> Result
) throws(KeyProblem) -> Result {
  do throws(CryptographyError) {
    return try body()
  } catch {
    throw error.problem(purpose)
  }
}

/// The result of `body`; else stores its error for the caller, who owns it.
func answer<Result>(
  _ place: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws(KeyProblem) -> Result
) -> Result? {
  do throws(KeyProblem) {
    return try body()
  } catch {
    return unsafe refuse(error.error, at: place)
  }
}
