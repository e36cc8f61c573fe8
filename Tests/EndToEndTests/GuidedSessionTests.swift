import Foundation
import Testing

@Suite("The guided session", .timeLimit(.minutes(15)))
struct GuidedSessionTests {
  @Test("X1 W3: with the built-in tape it runs from start to end without a person, twice")
  func replay() throws {
    let state = try StateFolder()
    let first = try state.authcore("--driver", "replay", json: false)
    #expect(first.status == 0, "\(first.account)")
    let said = first.text + first.errors
    for word in ["enclave", "keychain", "policy", "replay", "passcode"] {
      #expect(said.contains(word), "\(word) is not in: \(first.account)")
    }
    let second = try state.authcore("--driver", "replay", json: false)
    #expect(second.status == 0, "\(second.account)")
  }
}
