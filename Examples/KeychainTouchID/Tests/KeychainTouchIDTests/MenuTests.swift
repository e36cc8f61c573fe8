import Foundation
import LocalAuthentication
import Security
import Testing

@testable import KeychainTouchID

@Suite("The menu")
struct MenuTests {
  @Test("what is typed is a number of the menu or a name of the command line")
  func typed() {
    #expect(Demonstration(typed: "1") == .addPresence)
    #expect(Demonstration(typed: "16") == .reuseUnlock)
    #expect(Demonstration(typed: "evaluate-no-fallback") == .evaluateNoFallback)
    for typed in ["0", "17", "-1", "", "nonsense", "99999999999999999999"] {
      #expect(Demonstration(typed: typed) == nil)
    }
  }

  @Test("every demonstration has a line of its own, the keychain's first")
  func menu() {
    let menu = Demonstration.menu
    #expect(menu.count == Demonstration.allCases.count + 2)
    #expect(menu.firstIndex(of: "Local Authentication") == 10)
    #expect(Set(menu).count == menu.count)
  }
}

@Suite("What the person is told")
struct RefusalTests {
  @Test(
    "every reason is told in words of its own",
    arguments: [
      LAError.authenticationFailed, .userCancel, .userFallback, .appCancel, .passcodeNotSet,
      .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .invalidContext,
      .notInteractive,
    ])
  func policies(code: LAError.Code) {
    let text = Refusal(what: "The policy", error: LAError(code)).localizedDescription
    #expect(
      text.hasPrefix("The policy: ") && text.hasSuffix("."[...]) || text.contains(": authcore "))
  }

  @Test("what the keychain says is passed on with its number")
  func statuses() {
    #expect(Refusal.text(KeychainStatus(code: errSecDuplicateItem)).contains("already"))
    #expect(Refusal.text(KeychainStatus(code: errSecDecode)).hasSuffix("(-26275)"))
    #expect(Refusal.text(nil) == "no reason was given.")
  }
}
