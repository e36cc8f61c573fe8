import AuthcoreABI
import Cryptography
import Protocol
import TrustedPlatform

/// What the TPM does for a root key: keeps it, guards a secret of the passcode, and counts states.
final class TPMGuardian {
  private let tpm: PlatformTPM
  private let platform: any EnclavePlatform
  let binding: TPMBinding
  private let counterAuthorization: SecretBytes

  /// The TPM's lock: wrong passcodes before it takes none, and seconds after which it forgets one.
  /// The enclave's own delays come long before: ten tries in the first two hours, then one an hour,
  /// which the TPM forgets as fast.
  private static let lockout = (mostFailures: UInt32(32), secondsToForgetOne: UInt32(3600))

  init(
    _ tpm: PlatformTPM, on platform: any EnclavePlatform, _ binding: TPMBinding,
    root: borrowing SymmetricKey
  ) throws(Failure) {
    self.tpm = tpm
    self.platform = platform
    self.binding = binding
    counterAuthorization = try Self.counterAuthorization(root)
  }

  private static func counterAuthorization(
    _ root: borrowing SymmetricKey
  ) throws(Failure) -> SecretBytes {
    try cryptographic(try authorization(root.derivedKey(for: .counterAuthorization)))
  }

  /// A key as an authorization. The TPM drops zeros at the end of one.
  private static func authorization(_ key: consuming SymmetricKey) -> SecretBytes {
    var bytes = key.bytes.duplicate()
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[SymmetricKey.size - 1] |= 1 }
    return bytes
  }

  // MARK: Binding

  /// Binds a root key to the present TPM: seals it, and makes a counter.
  static func bind(
    _ root: borrowing SymmetricKey, to tpm: PlatformTPM, on platform: any EnclavePlatform
  ) throws(Failure) -> TPMGuardian {
    let authorization = try counterAuthorization(root)
    var numbers: [TPMIndex] = []
    for _ in 0..<4 {
      let bytes = try platform.randomOpenBytes(count: 4)
      let number = bytes.reduce(TPMIndex(0)) { $0 << 8 | TPMIndex($1) }
      let range = TPMConversation.ownerIndices
      numbers.append(range.lowerBound + number % TPMIndex(range.count))
    }
    let binding = try tpm.trusted(nil) { (conversation) throws(TPMError) in
      let sealed = try conversation.seal(
        root.bytes, authorization: SecretBytes(count: 0), guessing: .isFree)
      loosenLockout(conversation, platform)
      let counter = try makeCounter(numbers, conversation, authorization)
      return TPMBinding(primaryName: conversation.primaryName, sealed: sealed, counter: counter)
    }
    return try TPMGuardian(tpm, on: platform, binding, root: root)
  }

  private static func makeCounter(
    _ numbers: [TPMIndex], _ conversation: TPMConversation,
    _ authorization: borrowing SecretBytes
  ) throws(TPMError) -> TPMIndex {
    for number in numbers {
      do throws(TPMError) {
        try conversation.makeCounter(number, authorization: authorization)
        return number
      } catch .indexTaken {
        continue
      }
    }
    throw .indexTaken
  }

  /// Lets the enclave's delays come before the TPM's lock, if the TPM permits it.
  private static func loosenLockout(
    _ conversation: TPMConversation, _ platform: any EnclavePlatform
  ) {
    do throws(TPMError) {
      let rules = try conversation.lockoutRules()
      guard rules.mostFailures < lockout.mostFailures else { return }
      guard !rules.isOwned else { throw .wrongAuthorization }
      try conversation.setLockoutRules(
        mostFailures: lockout.mostFailures, secondsToForgetOne: lockout.secondsToForgetOne,
        from: rules)
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "the TPM locks itself after fewer wrong passcodes than the enclave delays (\(error))")
    }
  }

  static func rootKey(
    _ binding: TPMBinding, from tpm: PlatformTPM
  ) throws(Failure) -> SecretBytes {
    try tpm.trusted(binding.primaryName) { (conversation) throws(TPMError) in
      try conversation.unseal(binding.sealed, authorization: SecretBytes(count: 0))
    }
  }

  /// Ends the binding: removes the counter from the TPM. Reads it first: it answers only to its own
  /// root key, so a binding that names another counter removes nothing.
  func release() {
    do throws(Failure) {
      guard try count() != nil else { return }
      try tpm.trusted(binding.primaryName) { (conversation) throws(TPMError) in
        try conversation.removeCounter(binding.counter)
      }
    } catch {
      platform.log(
        ac_log_level_t(AC_LOG_WARNING),
        "the counter of the root key stays in the TPM: \(error.message)")
    }
  }

  // MARK: The passcode

  /// Seals the secret that enters a passcode key.
  func seal(
    _ secret: borrowing SymmetricKey, for authorization: consuming SymmetricKey
  ) throws(Failure) -> SealedObject {
    let authorization = Self.authorization(authorization)
    return try tpm.trusted(binding.primaryName) { (conversation) throws(TPMError) in
      try conversation.seal(secret.bytes, authorization: authorization, guessing: .counts)
    }
  }

  /// Unseals what ``seal(_:for:)`` gave; nil if the passcode is wrong, which the TPM has counted.
  /// - Throws: `tpmLockout`, without a judgment, or another failure of the TPM.
  func unseal(
    _ object: SealedObject, with authorization: consuming SymmetricKey
  ) throws(Failure) -> SecretBytes? {
    let authorization = Self.authorization(authorization)
    do throws(TPMError) {
      return try tpm.talk(to: binding.primaryName) { (conversation) throws(TPMError) in
        try conversation.unseal(object, authorization: authorization)
      }
    } catch .wrongAuthorization {
      return nil
    } catch .lockedOut {
      let rules = try? tpm.talk(to: binding.primaryName) { (conversation) throws(TPMError) in
        try conversation.lockoutRules()
      }
      throw .tpmLockout(seconds: rules?.secondsToForgetOne ?? Self.lockout.secondsToForgetOne)
    } catch {
      throw Failure(error)
    }
  }

  // MARK: The counter

  /// A state compared with the counter.
  enum Age {
    case newest
    /// There was a newer one, or none can be ruled out.
    case old
  }

  /// Judges a state by its number, if it has one. A state that was about to be the newest becomes
  /// it.
  func judge(_ number: UInt64?) throws(Failure) -> Age {
    guard let count = try count(), let number else { return .old }
    if number == count { return .newest }
    guard count < UInt64.max, number == count + 1 else { return .old }
    try raise()
    return .newest
  }

  /// The counter's value; nil if it was removed or replaced.
  func count() throws(Failure) -> UInt64? {
    do throws(TPMError) {
      return try tpm.talk(to: binding.primaryName) { (conversation) throws(TPMError) in
        try conversation.counter(binding.counter, authorization: counterAuthorization)
      }
    } catch .noIndex, .wrongAuthorization {
      return nil
    } catch {
      throw Failure(error)
    }
  }

  /// Raises the counter once a state with the next number is stored: no older state counts any
  /// more.
  func raise() throws(Failure) {
    try tpm.trusted(binding.primaryName) { (conversation) throws(TPMError) in
      try conversation.raiseCounter(binding.counter, authorization: counterAuthorization)
    }
  }
}
