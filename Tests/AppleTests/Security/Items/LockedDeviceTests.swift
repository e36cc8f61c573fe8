import CoreClient
import Foundation
import TestSupport
import Testing

@testable import Security

@Suite("A locked device, by SecItem", .timeLimit(.minutes(15)))
struct LockedDeviceTests {
  private let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "bank", kSecReturnData: true,
  ]

  private func prompting(_ query: [CFString: Any]) throws -> Prompting {
    try ItemRequest(query as CFDictionary).prompting
  }

  @Test("FINDINGS B1: a query with a context or prompt text asks to unlock, where it may ask")
  func asks() throws {
    let context = LentContext(TestedApplication(try TestHome()))
    #expect(try !prompting(query).unlocks)
    #expect(try prompting(query.with([kSecUseOperationPrompt: "Pay"])).unlocks)
    #expect(try prompting(query.with([kSecUseAuthenticationContext: context])).unlocks)
    let silent = try prompting(
      query.with([
        kSecUseOperationPrompt: "Pay", kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
      ]))
    #expect(!silent.isAllowed && !silent.unlocks)
  }

  @Test("FINDINGS B1: where nobody can be asked it answers −25308, whatever tape there is")
  func nobody() throws {
    let device = try TestHome()
    try device.setUp()
    let application = TestedApplication(device, driver: try device.ownerTouch())
    #expect(application.add(password("bank", "ann", secret: "gold")) == errSecSuccess)
    #expect(try device.authcore("lock").status == 0)
    for query in [query, query.with([kSecUseOperationPrompt: "Pay"])] {
      #expect(application.status(query) == errSecInteractionNotAllowed)
    }
    #expect(try device.authcore("status").json["locked"]?.bool == true)
  }
}
