import Protocol
import TestSupport
import Testing
import TrustedPlatform

/// Bytes that never end in zero.
func secret(_ byte: UInt8, count: Int = 32) -> SecretBytes {
  let bytes = [UInt8](repeating: byte, count: count)
  return SecretBytes(copying: bytes.span)
}

/// Whether these are the bytes of `secret(byte)`.
func isSecret(_ byte: UInt8, _ bytes: borrowing SecretBytes) -> Bool {
  let expected = secret(byte)
  return bytes.isEqual(to: expected.bytes)
}

/// What an action throws, or nil.
func failure(_ body: () throws(TPMError) -> Void) -> TPMError? {
  do throws(TPMError) {
    try body()
    return nil
  } catch {
    return error
  }
}

extension Trait where Self == ConditionTrait {
  /// Needs the software TPM.
  static var requiresSoftwareTPM: ConditionTrait {
    .enabled(if: SoftwareTPM.program != nil, "swtpm is not installed")
  }
}

@Suite("Sealing by a TPM", .requiresSoftwareTPM, .timeLimit(.minutes(60)))
struct SealingTests {
  let tpm: SoftwareTPM
  init() throws { tpm = try SoftwareTPM() }

  private func begin(expecting name: [UInt8]? = nil) throws(TPMError) -> TPMConversation {
    try TPMConversation(over: tpm, expecting: name)
  }

  @Test("what was sealed comes back, also after the TPM was switched off")
  func roundTrip() throws {
    let sealed = try begin().seal(secret(7), authorization: secret(9), guessing: .counts)
    try tpm.restart()
    let opened = try begin().unseal(sealed, authorization: secret(9))
    let isSame = isSecret(7, opened)
    #expect(isSame)
  }

  @Test("nothing is needed to unseal what was sealed with an empty authorization")
  func emptyAuthorization() throws {
    let sealed = try begin().seal(
      secret(7), authorization: SecretBytes(count: 0), guessing: .isFree)
    let opened = try begin().unseal(sealed, authorization: SecretBytes(count: 0))
    let isSame = isSecret(7, opened)
    #expect(isSame)
  }

  @Test("the storage key has one name, which another TPM has not")
  func primaryName() throws {
    let name = try begin().primaryName
    #expect(name.count == 34)
    try tpm.restart()
    #expect(try begin(expecting: name).primaryName == name)
    try tpm.replace()
    #expect(try begin().primaryName != name)
    #expect(failure { () throws(TPMError) in _ = try begin(expecting: name) } == .foreign)
  }

  @Test("a TPM that did not seal something, or finds it changed, says so")
  func foreignObject() throws {
    let sealed = try begin().seal(secret(7), authorization: secret(9), guessing: .counts)
    var changed = sealed.privateArea
    changed[20] ^= 1
    let other = SealedObject(publicArea: sealed.publicArea, privateArea: changed)
    let empty = SealedObject(publicArea: [], privateArea: [])
    for object in [other, empty] {
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().unseal(object, authorization: secret(9))
        } == .foreign)
    }
    try tpm.replace()
    #expect(
      failure { () throws(TPMError) in
        _ = try begin().unseal(sealed, authorization: secret(9))
      } == .foreign)
  }

  @Test("wrong authorizations are counted until the TPM takes none; then not even the right one")
  func lockout() throws {
    let sealed = try begin().seal(secret(7), authorization: secret(9), guessing: .counts)
    let free = try begin().seal(secret(8), authorization: secret(9), guessing: .isFree)
    let most = try begin().lockoutRules().mostFailures
    for _ in 0..<most {
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().unseal(sealed, authorization: secret(1))
        } == .wrongAuthorization)
    }
    for byte: UInt8 in [1, 9] {
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().unseal(sealed, authorization: secret(byte))
        } == .lockedOut)
    }
    #expect(
      failure { () throws(TPMError) in
        _ = try begin().unseal(free, authorization: secret(1))
      } == .wrongAuthorization)
    let opened = try begin().unseal(free, authorization: secret(9))
    let isSame = isSecret(8, opened)
    #expect(isSame)
  }

  @Test("the lock's rules can be set where nobody owns them")
  func lockoutRules() throws {
    let before = try begin().lockoutRules()
    #expect(!before.isOwned)
    try begin().setLockoutRules(mostFailures: 32, secondsToForgetOne: 3600, from: before)
    let after = try begin().lockoutRules()
    #expect(after.mostFailures == 32 && after.secondsToForgetOne == 3600)
  }

  @Test("neither secret nor authorization goes over the bus in the clear")
  func bus() throws {
    var traffic: [[UInt8]] = []
    tpm.listener = { command, answer in traffic += [command, answer] }
    let sealed = try begin().seal(secret(0x5a), authorization: secret(0xa5), guessing: .counts)
    _ = try begin().unseal(sealed, authorization: secret(0xa5))
    let index = TPMConversation.ownerIndices.lowerBound
    try begin().makeCounter(index, authorization: secret(0x3c))
    #expect(traffic.count > 20)
    for message in traffic {
      for byte: UInt8 in [0x5a, 0xa5, 0x3c] {
        #expect(!message.contains(run: byte, ofLength: 8))
      }
    }
  }

  @Test("nothing stays in the TPM behind a conversation")
  func leavesNothing() throws {
    // Three transient objects and three sessions fit into it.
    for _ in 0..<10 {
      let sealed = try begin().seal(secret(7), authorization: secret(9), guessing: .isFree)
      _ = try begin().unseal(sealed, authorization: secret(9))
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().unseal(sealed, authorization: secret(1))
        } == .wrongAuthorization)
      var left = 3
      tpm.listener = { _, answer in
        left -= 1
        if left == 0 { answer[answer.count - 1] ^= 1 }
      }
      #expect(
        failure { () throws(TPMError) in
          _ = try begin().unseal(sealed, authorization: secret(9))
        } == .garbled)
      tpm.listener = nil
    }
  }
}

extension [UInt8] {
  /// Whether a byte stands `length` times in a row.
  fileprivate func contains(run byte: UInt8, ofLength length: Int) -> Bool {
    var run = 0
    for element in self {
      run = element == byte ? run + 1 : 0
      if run == length { return true }
    }
    return false
  }
}
