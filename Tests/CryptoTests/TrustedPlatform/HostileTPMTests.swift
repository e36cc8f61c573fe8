import Protocol
import SyntheticPrints
import TestSupport
import Testing
import TrustedPlatform

@Suite("A TPM that misbehaves", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct HostileTPMTests {
  let tpm: SoftwareTPM
  private let index = TPMConversation.ownerIndices.lowerBound + 9
  init() throws { tpm = try SoftwareTPM() }

  /// Everything that is ever asked of a TPM.
  private func useIt() throws(TPMError) {
    let conversation = try TPMConversation(over: tpm, expecting: nil)
    let sealed = try conversation.seal(secret(7), authorization: secret(9), guessing: .counts)
    let opened = try conversation.unseal(sealed, authorization: secret(9))
    let isSame = isSecret(7, opened)
    #expect(isSame, "a forged answer was believed")
    let rules = try conversation.lockoutRules()
    if !rules.isOwned {
      try conversation.setLockoutRules(
        mostFailures: 1000, secondsToForgetOne: 1, from: rules)
    }
    try conversation.makeCounter(index, authorization: secret(3))
    let first = try conversation.counter(index, authorization: secret(3))
    try conversation.raiseCounter(index, authorization: secret(3))
    #expect(
      try conversation.counter(index, authorization: secret(3)) == first + 1,
      "a forged answer was believed")
    try conversation.removeCounter(index)
  }

  @Test("a way to the TPM that fails at any command is told as what it is")
  func failingTransport() throws {
    tpm.interposer = { _ in nil }
    let before = tpm.commandCount
    try useIt()
    let commands = tpm.commandCount - before
    #expect(commands > 12)
    for error in [TPMError.late, .lost, .busy] {
      for stop in 0..<commands {
        var left = stop
        tpm.interposer = { _ in
          left -= 1
          return left < 0 ? .failure(error) : nil
        }
        let found = failure { () throws(TPMError) in try useIt() }
        // What only takes something out of the TPM again may fail.
        #expect(found == error || found == nil && stop > 10, "\(error) at command \(stop)")
        try tpm.restart()
        tpm.interposer = nil
        _ = failure { () throws(TPMError) in
          try TPMConversation(over: tpm, expecting: nil).removeCounter(index)
        }
      }
    }
  }

  @Test("answers that are noise end in an error", arguments: 0..<300 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    var untouched = Int.random(in: 0..<20, using: &random)
    tpm.interposer = { _ in
      untouched -= 1
      guard untouched < 0 else { return nil }
      var answer = (0..<Int.random(in: 0...4096, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // Mostly with a header that fits, so that what lies behind is looked at.
      if answer.count >= 10, Bool.random(using: &random) {
        let size = answer.count
        answer[0..<10] = [
          0x80, Bool.random(using: &random) ? 1 : 2, 0, 0, UInt8(size >> 8), UInt8(size & 255), 0,
          0, 0, 0,
        ]
      }
      return .success(answer)
    }
    let found = failure { () throws(TPMError) in try useIt() }
    #expect(found != nil)
  }

  @Test(
    "answers that were changed in a few bytes are refused or change nothing",
    arguments: 0..<300 as Range<UInt64>)
  func changedBytes(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    tpm.listener = { _, answer in
      guard Int.random(in: 0..<6, using: &random) == 0 else { return }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: answer.removeLast(Int.random(in: 0...answer.count, using: &random))
      case 1:
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          guard let index = answer.indices.randomElement(using: &random) else { break }
          answer[index] = UInt8.random(in: 0...255, using: &random)
        }
      default:
        // Sizes within: the largest number there is.
        guard answer.count > 12 else { break }
        let index = Int.random(in: 10..<answer.count - 1, using: &random)
        (answer[index], answer[index + 1]) = (0xff, 0xff)
      }
    }
    _ = failure { () throws(TPMError) in try useIt() }
  }
}
