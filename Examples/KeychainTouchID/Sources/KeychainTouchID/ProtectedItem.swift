import Foundation
import LocalAuthentication
import Security

/// The items of this sample, by what opens them.
enum ProtectedItem: String, CaseIterable {
  /// The owner, with a finger or the passcode.
  case presence
  /// A finger that is enrolled when the item is added. Another set of fingers closes it for good.
  case fingers
  /// The owner, and a password of this application.
  case password

  private static let service = "KeychainTouchID"

  private var query: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: Self.service,
      kSecAttrAccount as String: rawValue,
    ]
  }

  private var flags: SecAccessControlCreateFlags {
    switch self {
    case .presence: .userPresence
    case .fingers: .biometryCurrentSet
    case .password: [.userPresence, .applicationPassword]
    }
  }

  /// Adds the item. The machine has to have a passcode. `context` has the application password, if
  /// the item needs one.
  func add(_ secret: String, in context: LAContext) throws {
    var problem: Unmanaged<CFError>?
    let access = SecAccessControlCreateWithFlags(
      kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, &problem)
    guard let access else {
      throw problem.map { $0.takeRetainedValue() as Error } ?? KeychainStatus(code: errSecParam)
    }
    var attributes = query
    attributes[kSecAttrAccessControl as String] = access
    attributes[kSecAttrLabel as String] = "A secret behind \(rawValue)"
    attributes[kSecUseAuthenticationContext as String] = context
    attributes[kSecValueData as String] = Data(secret.utf8)
    try KeychainStatus.check(SecItemAdd(attributes as CFDictionary, nil))
  }

  /// Opens the item. The owner is asked, unless the context has been evaluated.
  func secret(in context: LAContext) throws -> String {
    var query = query
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var result: CFTypeRef?
    try KeychainStatus.check(SecItemCopyMatching(query as CFDictionary, &result))
    guard let data = result as? Data else { throw KeychainStatus(code: errSecDecode) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Whether the item is there. Asks no one, and opens nothing.
  var isThere: Bool {
    get throws {
      let context = LAContext()
      context.interactionNotAllowed = true
      var query = query
      query[kSecReturnData as String] = true
      query[kSecUseAuthenticationContext as String] = context
      let status = SecItemCopyMatching(query as CFDictionary, nil)
      // It is there, and the owner would have to be asked.
      if status == errSecInteractionNotAllowed { return true }
      if status == errSecItemNotFound { return false }
      try KeychainStatus.check(status)
      return true
    }
  }

  /// Replaces the secret.
  func update(_ secret: String, in context: LAContext) throws {
    var query = query
    query[kSecUseAuthenticationContext as String] = context
    let changes = [kSecValueData as String: Data(secret.utf8)]
    try KeychainStatus.check(SecItemUpdate(query as CFDictionary, changes as CFDictionary))
  }

  /// Removes the item, which asks no one.
  /// - Returns: whether it was there.
  func delete() throws -> Bool {
    let status = SecItemDelete(query as CFDictionary)
    if status == errSecItemNotFound { return false }
    try KeychainStatus.check(status)
    return true
  }
}

/// A failure of the keychain, in its own words.
struct KeychainStatus: LocalizedError, Equatable {
  let code: OSStatus

  static func check(_ code: OSStatus) throws {
    guard code == errSecSuccess else { throw KeychainStatus(code: code) }
  }

  var errorDescription: String? {
    let text = SecCopyErrorMessageString(code, nil) as String? ?? "no text for this"
    return "\(text) (\(code))"
  }
}
