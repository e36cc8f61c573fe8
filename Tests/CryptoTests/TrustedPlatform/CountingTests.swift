import Protocol
import TestSupport
import Testing
import TrustedPlatform

@Suite("Counting by a TPM", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct CountingTests {
  let tpm: SoftwareTPM
  private let index = TPMConversation.ownerIndices.lowerBound + 7
  init() throws { tpm = try SoftwareTPM() }

  private func begin() throws(TPMError) -> TPMConversation {
    try TPMConversation(over: tpm, expecting: nil)
  }

  @Test("a counter grows by one, and keeps its value while the TPM is off")
  func counting() throws {
    try begin().makeCounter(index, authorization: secret(3))
    let first = try begin().counter(index, authorization: secret(3))
    try begin().raiseCounter(index, authorization: secret(3))
    try tpm.restart()
    #expect(try begin().counter(index, authorization: secret(3)) == first + 1)
  }

  @Test("a counter that was removed and made again goes on above what it had reached")
  func neverLower() throws {
    try begin().makeCounter(index, authorization: secret(3))
    try begin().raiseCounter(index, authorization: secret(3))
    let reached = try begin().counter(index, authorization: secret(3))
    try begin().removeCounter(index)
    #expect(
      failure { () throws(TPMError) in
        _ = try begin().counter(index, authorization: secret(3))
      } == .noIndex)
    try begin().makeCounter(index, authorization: secret(3))
    #expect(try begin().counter(index, authorization: secret(3)) > reached)
  }

  @Test("who lacks the authorization neither reads nor raises it, and that locks nothing")
  func authorization() throws {
    try begin().makeCounter(index, authorization: secret(3))
    for _ in 0..<10 {
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().counter(index, authorization: secret(4))
        } == .wrongAuthorization)
      #expect(
        failure { () throws(TPMError) in
          try begin().raiseCounter(index, authorization: secret(4))
        } == .wrongAuthorization)
    }
    _ = try begin().counter(index, authorization: secret(3))
  }

  @Test("a number that is taken is refused")
  func taken() throws {
    try begin().makeCounter(index, authorization: secret(3))
    #expect(
      failure { () throws(TPMError) in
        try begin().makeCounter(index, authorization: secret(3))
      } == .indexTaken)
  }

  @Test("a value that was changed on its way is not believed")
  func forgedValue() throws {
    try begin().makeCounter(index, authorization: secret(3))
    let conversation = try begin()
    tpm.listener = { command, answer in
      // TPM2_NV_Read; the last byte of the value stands before the session's part.
      if command[6..<10].elementsEqual([0, 0, 1, 0x4e]), answer.count > 24 { answer[23] ^= 1 }
    }
    #expect(
      failure { () throws(TPMError) in
        _ = try conversation.counter(index, authorization: secret(3))
      } == .garbled)
  }
}
