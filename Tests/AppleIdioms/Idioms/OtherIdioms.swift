import Foundation
import LocalAuthentication
import Security
import Testing

/// An enumeration as libraries for Objective-C, too, declare theirs.
@objc enum Outcome: Int {
  case success
  case failure
}

/// What is left.
@Suite("X5: other idioms of existing code")
struct OtherIdioms {
  @Test("names are had from one import, one by one, and by their module")
  func imports() {
    #expect(SecurityAlone.isClass("class") && !SecurityAlone.isClass("x"))
    #expect(SecurityAlone.text(kSecAttrAccount) == "acct")
    #expect((SecurityAlone.query("mail") as? [String: Any])?["svce"] as? String == "mail")
    #expect(SecurityAlone.query(nil).count == 1)
    #expect(SecurityAlone.isAccount("acct") && !SecurityAlone.isAccount(1))
    #expect(SecurityAlone.qualified === kSecClass)
    #expect(ScopedImports.flags == [.biometryAny, .or, .devicePasscode])
    #expect(ScopedImports.query(["a": 1]).count == 1)
    #expect(ScopedImports.truth() == true && ScopedImports.text("x") == "x")
    let context: LocalAuthentication.LAContext = ScopedImports.context()
    #expect(!context.interactionNotAllowed)
  }

  @Test("availability is always given, and enumerations may be of Objective-C")
  func availability() {
    var isAvailable = false
    if #available(iOS 11, macOS 10.13, *) { isAvailable = true }
    #expect(isAvailable && Outcome(rawValue: 1) == .failure)
    if #unavailable(iOS 11, macOS 10.13) { Issue.record("it is available") }
    #expect(older() == "older")
  }

  @available(iOS, introduced: 8.0, deprecated: 13.0)
  @available(macOS 10.10, *)
  private func older() -> String { "older" }

  @Test("flags are made of bits of Core Foundation")
  func flags() {
    let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(1 << 30))
    #expect(flags == .privateKeyUsage && flags.union(.touchIDAny).contains(.biometryAny))
    var index: CFIndex = 1
    index += 1
    #expect(index == 2)
  }

  @Test("whole numbers go by the names of Objective-C, too")
  func wholeNumbers() {
    let (signed, unsigned): (NSInteger, NSUInteger) = (-1, 1)
    #expect(signed.doubled == -2 && Int(unsigned) == -signed)
    #expect(TARGET_OS_SIMULATOR == 0)
  }
}

extension NSInteger {
  fileprivate var doubled: NSInteger { 2 * self }
}
