import CryptoKit
import Foundation
import Security

/// A key that the keychain keeps as a generic password.
public protocol StorableKey {
  init(stored: Data) throws
  var stored: Data { get }
}

extension SecureEnclave.P256.Signing.PrivateKey: StorableKey {
  public init(stored: Data) throws { try self.init(dataRepresentation: stored) }
  public var stored: Data { dataRepresentation }
}

extension SecureEnclave.P256.KeyAgreement.PrivateKey: StorableKey {
  public init(stored: Data) throws { try self.init(dataRepresentation: stored) }
  public var stored: Data { dataRepresentation }
}

extension P256.Signing.PrivateKey: StorableKey {
  public init(stored: Data) throws { try self.init(rawRepresentation: stored) }
  public var stored: Data { rawRepresentation }
}

extension SymmetricKey: StorableKey {
  public init(stored: Data) throws { self.init(data: stored) }
  public var stored: Data { withUnsafeBytes { Data($0) } }
}

/// Why the keychain kept or gave nothing.
public struct KeychainError: Error {
  public let status: OSStatus
}

/// Keys in the keychain, by account.
public enum KeyStore {
  private static func query(_ account: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "vault",
      kSecAttrAccount as String: account,
      kSecUseDataProtectionKeychain as String: true,
    ]
  }

  public static func save<Key: StorableKey>(_ key: Key, as account: String) throws {
    var item = query(account)
    SecItemDelete(item as CFDictionary)
    item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    item[kSecValueData as String] = key.stored
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess else { throw KeychainError(status: status) }
  }

  public static func load<Key: StorableKey>(_ account: String) throws -> Key? {
    var item = query(account)
    item[kSecReturnData as String] = true
    var result: CFTypeRef?
    switch SecItemCopyMatching(item as CFDictionary, &result) {
    case errSecSuccess:
      guard let data = result as? Data else { return nil }
      return try Key(stored: data)
    case errSecItemNotFound: return nil
    case let status: throw KeychainError(status: status)
    }
  }
}
