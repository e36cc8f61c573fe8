import CoreClient
import Protocol
import Security

/// What a right demands of the owner. Immutable; any thread.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  /// What has to be proved.
  let accessControl: AccessControl
  /// The policy that must be evaluable to prove it.
  let policy: EvaluatedPolicy

  private init(
    _ constraints: AccessControl.Constraints, joinedBy junction: AccessControl.Junction = .and,
    provableBy policy: EvaluatedPolicy
  ) {
    do throws(AccessControl.Problem) {
      accessControl = try AccessControl(constraints, joinedBy: junction)
    } catch {
      preconditionFailure("no requirement is made of \(constraints): \(error)")
    }
    self.policy = policy
  }

  /// A finger of the owner's if one can be had, or the passcode.
  public class var `default`: LAAuthenticationRequirement { ownersPresence }
  /// A finger of the owner's.
  public class var biometry: LAAuthenticationRequirement { anyFinger }
  /// A finger of the owner. A saved right is lost when a finger is added or removed.
  public class var biometryCurrentSet: LAAuthenticationRequirement { currentFingers }
  /// A finger of the owner, or the fallback.
  public class func biometry(
    fallback: LABiometryFallbackRequirement
  ) -> LAAuthenticationRequirement {
    fingerOrPasscode
  }

  private static let ownersPresence = LAAuthenticationRequirement(.presence, provableBy: .owner)
  private static let anyFinger = LAAuthenticationRequirement(.biometryAny, provableBy: .biometrics)
  private static let currentFingers = LAAuthenticationRequirement(
    .biometryCurrent, provableBy: .biometrics)
  private static let fingerOrPasscode = LAAuthenticationRequirement(
    [.biometryAny, .passcode], joinedBy: .or, provableBy: .owner)

  static let all = [ownersPresence, anyFinger, currentFingers, fingerOrPasscode]
}

/// What replaces a finger. Immutable; any thread.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  /// The usual one: the passcode.
  public class var `default`: LABiometryFallbackRequirement { passcode }
  public class var devicePasscode: LABiometryFallbackRequirement { passcode }

  private static let passcode = LABiometryFallbackRequirement()
}

/// Rights in the keychain. Each has an enclave key, which is found by a tag made of the right's
/// name and guarded like the right, and an item of that name if there is a secret. Any thread;
/// calls block. None of them prompts.
struct KeptRights: Sendable {
  let client: ApplicationClient

  private static let service = "LARightStore"

  /// Makes the key and the item of a right.
  /// - Throws: `errSecDuplicateItem` if a right of this name exists, and the keychain's failures.
  func add(
    _ name: String, _ requirement: LAAuthenticationRequirement, secret: Data?
  ) throws {
    try inKeychain {
      let former = SecItemCopyMatching(Self.key(name) as CFDictionary, nil)
      guard former == errSecItemNotFound else {
        throw Self.error(former == errSecSuccess ? errSecDuplicateItem : former)
      }
      let guarding = try requirement.guarding([.privateKeyUsage])
      var problem: Unmanaged<CFError>?
      let parameters: [String: Any] = [
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecAttrKeySizeInBits as String: 256,
        kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs as String: [
          kSecAttrIsPermanent as String: true,
          kSecAttrApplicationTag as String: Self.tag(name),
          kSecAttrLabel as String: name,
          kSecAttrAccessControl as String: guarding,
        ] as [String: Any],
      ]
      guard unsafe SecKeyCreateRandomKey(parameters as CFDictionary, &problem) != nil else {
        throw unsafe problem?.takeRetainedValue() ?? Self.error(errSecParam)
      }
      guard let secret else { return }
      var item = Self.item(name)
      item[kSecAttrAccessControl as String] = try requirement.guarding([])
      item[kSecValueData as String] = secret
      let status = SecItemAdd(item as CFDictionary, nil)
      guard status == errSecSuccess else {
        SecItemDelete(Self.key(name) as CFDictionary)
        throw Self.error(status)
      }
    }
  }

  /// A right that was saved.
  /// - Throws: `errSecItemNotFound`.
  func right(_ name: String) throws -> LAPersistedRight {
    try inKeychain {
      let evidence = RightEvidence(client)
      var query = Self.key(name)
      query[kSecReturnRef as String] = true
      query[kSecReturnAttributes as String] = true
      query[kSecUseAuthenticationContext as String] = evidence
      let found = try Self.found(query) as? [String: Any]
      guard let key = found?[kSecValueRef as String] as? SecKey,
        let guarding = found?[kSecAttrAccessControl as String] as? SecAccessControl,
        let requirement = LAAuthenticationRequirement.that(guards: guarding)
      else { throw Self.error(errSecDecode) }
      return LAPersistedRight(name, requirement, key, evidence)
    }
  }

  /// The secret of a right, opened with its evidence.
  func secret(of name: String, _ evidence: RightEvidence) throws -> Data {
    try inKeychain {
      var query = Self.item(name)
      query[kSecReturnData as String] = true
      query[kSecUseAuthenticationContext as String] = evidence
      guard let secret = try Self.found(query) as? Data else { throw Self.error(errSecDecode) }
      return secret
    }
  }

  /// Removes a right, for good.
  /// - Throws: `errSecItemNotFound`.
  func remove(_ name: String) throws {
    try inKeychain {
      let status = SecItemDelete(Self.key(name) as CFDictionary)
      guard status == errSecSuccess else { throw Self.error(status) }
      // Not every right has a secret.
      SecItemDelete(Self.item(name) as CFDictionary)
    }
  }

  func names() throws -> [String] {
    try inKeychain {
      let query: [String: Any] = [
        kSecClass as String: kSecClassKey, kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
      ]
      var result: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
      guard status != errSecItemNotFound else { return [] }
      guard status == errSecSuccess, let keys = result as? [[String: Any]] else {
        throw Self.error(status)
      }
      let prefix = Self.tag("")
      return keys.compactMap { key in
        guard let tag = key[kSecAttrApplicationTag as String] as? Data, tag.starts(with: prefix)
        else { return nil }
        return String(data: tag.dropFirst(prefix.count), encoding: .utf8)
      }
    }
  }

  // MARK: The keychain

  /// Makes the functions of Security use this client's core.
  private func inKeychain<Value>(_ body: () throws -> Value) throws -> Value {
    try ApplicationClient.$replacement.withValue(client, operation: body)
  }

  private static func tag(_ name: String) -> Data { Data("\(service)/\(name)".utf8) }

  private static func key(_ name: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassKey, kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
      kSecAttrApplicationTag as String: tag(name),
    ]
  }

  private static func item(_ name: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: name,
    ]
  }

  private static func found(_ query: [String: Any]) throws -> CFTypeRef {
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess, let result else { throw error(status) }
    return result
  }

  private static func error(_ status: OSStatus) -> NSError {
    var information: [String: Any] = [:]
    information[NSLocalizedDescriptionKey] = SecCopyErrorMessageString(status, nil) as String?
    return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: information)
  }
}

extension LAAuthenticationRequirement {
  /// The access control of a right's key or secret.
  fileprivate func guarding(_ more: SecAccessControlCreateFlags) throws -> SecAccessControl {
    var problem: Unmanaged<CFError>?
    let made = unsafe SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags.union(more), &problem)
    guard let made else { throw unsafe problem?.takeRetainedValue() ?? NSError() }
    return made
  }

  private var flags: SecAccessControlCreateFlags {
    switch accessControl.constraints {
    case .biometryAny: .biometryAny
    case .biometryCurrent: .biometryCurrentSet
    case [.biometryAny, .passcode]: [.biometryAny, .or, .devicePasscode]
    default: .userPresence
    }
  }

  /// The requirement that makes such an access control, or nil.
  fileprivate static func that(guards accessControl: SecAccessControl) -> Self? {
    all.first { $0.accessControl == accessControl.accessControl?.presenceAlone } as? Self
  }
}
