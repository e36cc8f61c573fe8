import Foundation
import Security

/// The password of one account at one server, as an item of the keychain.
struct PasswordItem {
  var server: String
  var account: String
  var keychain = Keychain()

  /// The attributes that find the item.
  private var query: [String: Any] {
    [
      kSecClass as String: kSecClassInternetPassword,
      kSecAttrServer as String: server,
      kSecAttrAccount as String: account,
    ]
  }

  /// - Returns: the password, or nil if the keychain has none.
  func read() throws -> String? {
    var query = query
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    query[kSecReturnData as String] = true
    var result: CFTypeRef?
    let status = keychain.copyMatching(query as CFDictionary, &result)
    switch status {
    case errSecSuccess:
      guard let data = result as? Data, let password = String(data: data, encoding: .utf8) else {
        throw KeychainError.unexpectedData
      }
      return password
    case errSecItemNotFound: return nil
    default: throw KeychainError.status(status)
    }
  }

  /// Adds a password. It can be read while the keychain is unlocked, and stays on this machine.
  func add(_ password: String) throws {
    var attributes = query
    attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    attributes[kSecAttrLabel as String] = "\(account) at \(server)"
    attributes[kSecValueData as String] = Data(password.utf8)
    try check(keychain.add(attributes as CFDictionary, nil))
  }

  /// Replaces the password.
  func update(_ password: String) throws {
    let changes = [kSecValueData as String: Data(password.utf8)]
    try check(keychain.update(query as CFDictionary, changes as CFDictionary))
  }

  /// - Returns: whether there was a password.
  func delete() throws -> Bool {
    let status = keychain.delete(query as CFDictionary)
    if status == errSecItemNotFound { return false }
    try check(status)
    return true
  }

  private func check(_ status: OSStatus) throws {
    guard status == errSecSuccess else { throw KeychainError.status(status) }
  }
}

/// The calls of the keychain, which tests replace.
struct Keychain {
  var copyMatching: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus =
    SecItemCopyMatching
  var add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = SecItemAdd
  var update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
  var delete: (CFDictionary) -> OSStatus = SecItemDelete
}

/// What the keychain refused.
enum KeychainError: Error, Equatable {
  case status(OSStatus)
  /// The item does not hold text.
  case unexpectedData
}

extension KeychainError: LocalizedError {
  var errorDescription: String? {
    switch self {
    case .status(let status):
      let text = SecCopyErrorMessageString(status, nil) as String?
      return "The keychain says: \(text ?? "no text for this") (\(status))"
    case .unexpectedData: return "The keychain's item for this account is not a password."
    }
  }
}
