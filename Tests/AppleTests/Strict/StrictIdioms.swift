import Foundation
import LocalAuthentication
import Security
import Testing

/// Application code under strict memory safety without warnings.
@Suite("X5: existing code under strict memory safety, with warnings as errors")
struct StrictIdioms {
  private static let service = kSecAttrService as String

  /// A query in such code; nothing in it is unsafe.
  private func query(_ account: String) -> [CFString: Any] {
    [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecReturnData: kCFBooleanTrue as Any,
      kSecMatchLimit: kSecMatchLimitOne, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
    ]
  }

  /// Calls with a pointer are marked unsafe, and may ignore the result.
  private func calls(_ query: CFDictionary) -> OSStatus {
    var found: CFTypeRef?
    unsafe SecItemCopyMatching(query, &found)
    return unsafe SecItemCopyMatching(query, &found)
  }

  @Test("constants, statuses and flags are safe, and queries that say nothing are refused")
  func constants() {
    #expect(query("ann")[kSecAttrAccount] as? String == "ann" && Self.service == "svce")
    #expect(calls([kSecAttrAccount: 1] as [CFString: Any] as CFDictionary) == errSecParam)
    let control = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlocked, [.userPresence], nil)
    #expect(control != nil)
    var error: Unmanaged<CFError>?
    #expect(
      unsafe SecAccessControlCreateWithFlags(nil, NSNull(), [.userPresence], &error) == nil)
    #expect(unsafe error?.takeRetainedValue().code == Int(errSecParam))
  }

  @Test("errors are caught by their codes")
  func errors() {
    let error: any Error = LAError(.userCancel)
    #expect((error as? LAError)?.code == .userCancel)
    #expect(errSecSuccess == noErr && errSecItemNotFound == -25300)
  }
}
