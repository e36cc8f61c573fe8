import CTSS
import Cryptography
package import Protocol

/// The handle of an NV index in a TPM.
package typealias TPMIndex = UInt32

extension TPMConversation {
  /// Handles for the owner's indices (TCG registry of reserved TPM 2.0 handles).
  package static var ownerIndices: ClosedRange<TPMIndex> { 0x0180_0000...0x01bf_ffff }

  /// Makes a counter that only grows, and raises it once, because it has no value before. It begins
  /// above the highest value that any counter of this TPM has reached.
  /// - Parameters:
  ///   - index: its handle.
  ///   - authorization: needed to read or raise it; at most ``authorizationSize`` bytes, the last
  ///     not zero. Wrong ones are not counted: it cannot be guessed.
  /// - Throws: ``TPMError/indexTaken``.
  package func makeCounter(
    _ index: TPMIndex, authorization: borrowing SecretBytes
  ) throws(TPMError) {
    var facts = TPM2B_NV_PUBLIC()
    facts.nvPublic.nvIndex = index
    facts.nvPublic.nameAlg = TPM2_ALG_SHA256
    facts.nvPublic.attributes = Self.counterAttributes
    facts.nvPublic.dataSize = Self.counterSize
    var handle = ESYS_TR(ESYS_TR_NONE)
    try encrypt(TPMA_SESSION_DECRYPT)
    try withAuthorization(authorization) { (filled) throws(TPMError) in
      try run {
        unsafe Esys_NV_DefineSpace(
          context, ESYS_TR(ESYS_TR_RH_OWNER), session, ESYS_TR(ESYS_TR_NONE),
          ESYS_TR(ESYS_TR_NONE), &filled, &facts, &handle)
      }
    }
    unsafe Esys_TR_Close(context, &handle)
    try raiseCounter(index, authorization: authorization)
  }

  package func raiseCounter(
    _ index: TPMIndex, authorization: borrowing SecretBytes
  ) throws(TPMError) {
    try withIndex(index) { (handle) throws(TPMError) in
      try authorizing(handle, with: authorization) { () throws(TPMError) in
        try encrypt()
        try run {
          unsafe Esys_NV_Increment(
            context, handle, handle, session, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE))
        }
      }
    }
  }

  /// The counter's value, authenticated by the TPM.
  package func counter(
    _ index: TPMIndex, authorization: borrowing SecretBytes
  ) throws(TPMError) -> UInt64 {
    try withIndex(index) { (handle) throws(TPMError) in
      var data: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
      defer { unsafe Esys_Free(data) }
      return try authorizing(handle, with: authorization) { () throws(TPMError) in
        try encrypt(TPMA_SESSION_ENCRYPT)
        try run {
          unsafe Esys_NV_Read(
            context, handle, handle, session, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), 8, 0,
            &data)
        }
        guard let data = unsafe data, unsafe data.pointee.size == 8 else { throw .garbled }
        return unsafe withUnsafeBytes(of: &data.pointee.buffer) { bytes in
          unsafe bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
      }
    }
  }

  /// Removes a counter, as the TPM's owner may, without its authorization. The caller has read it
  /// before, and so knows that the counter is its own.
  package func removeCounter(_ index: TPMIndex) throws(TPMError) {
    try withIndex(index) { (handle) throws(TPMError) in
      try encrypt()
      try run {
        unsafe Esys_NV_UndefineSpace(
          context, ESYS_TR(ESYS_TR_RH_OWNER), handle, session, ESYS_TR(ESYS_TR_NONE),
          ESYS_TR(ESYS_TR_NONE))
      }
    }
  }

  private static var counterAttributes: TPMA_NV {
    TPMA_NV(TPM2_NT_COUNTER) << TPMA_NV(TPMA_NV_TPM2_NT_SHIFT) | TPMA_NV_AUTHWRITE
      | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA
  }
  private static var counterSize: UInt16 { 8 }

  /// The name of a counter of ``makeCounter(_:authorization:)``: a hash of its public area (TPM 2.0
  /// part 1, "Names").
  private static func counterName(
    _ index: TPMIndex, _ attributes: TPMA_NV
  ) throws(TPMError) -> [UInt8] {
    func digits(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    }
    let algorithm: [UInt8] = [0x00, 0x0b]  // SHA-256
    let policy: [UInt8] = [0, 0]  // None.
    let size = [UInt8(counterSize >> 8), UInt8(counterSize & 0xff)]
    let facts = digits(index) + algorithm + digits(attributes) + policy + size
    do throws(CryptographyError) {
      return algorithm + (try SHA2.sha256(facts.span))
    } catch {
      throw .refused("\(error)")
    }
  }

  /// Runs `body` with an index that is a counter of this type. Sends nothing to any other index:
  /// one of other software could count a wrong authorization, or be removed.
  /// - Throws: ``TPMError/noIndex`` for any other handle or kind of index.
  private func withIndex<Value>(
    _ index: TPMIndex, _ body: (ESYS_TR) throws(TPMError) -> Value
  ) throws(TPMError) -> Value {
    guard Self.ownerIndices.contains(index) else { throw .noIndex }
    var handle = ESYS_TR(ESYS_TR_NONE)
    try run {
      unsafe Esys_TR_FromTPMPublic(
        context, index, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE),
        &handle)
    }
    defer { unsafe Esys_TR_Close(context, &handle) }
    let attributes = Self.counterAttributes
    let name = try name(of: handle)
    let names = [
      try Self.counterName(index, attributes),
      try Self.counterName(index, attributes | TPMA_NV_WRITTEN),
    ]
    guard names.contains(name) else { throw .noIndex }
    return try body(handle)
  }
}

/// A TPM's rules against guessing authorizations (TPM 2.0 part 1, "Dictionary Attack Protection").
package struct TPMLockoutRules: Equatable, Sendable {
  /// Wrong authorizations before it permits none.
  package let mostFailures: UInt32
  /// Seconds after which it forgets one.
  package let secondsToForgetOne: UInt32
  /// Whether the machine's owner has set the authorization for changing the rules.
  package let isOwned: Bool
  /// Seconds of delay after a wrong lockout authorization.
  let secondsToRecover: UInt32
}

extension TPMConversation {
  /// The present rules. Not authenticated, so only texts for people may depend on them.
  package func lockoutRules() throws(TPMError) -> TPMLockoutRules {
    let isOwned = try property(ac_tpm_permanent) & TPMA_PERMANENT_LOCKOUTAUTHSET != 0
    return TPMLockoutRules(
      mostFailures: try property(ac_tpm_max_auth_fail),
      secondsToForgetOne: try property(ac_tpm_lockout_interval), isOwned: isOwned,
      secondsToRecover: try property(ac_tpm_lockout_recovery))
  }

  /// Sets the rules, with the empty lockout authorization of a TPM without an owner.
  package func setLockoutRules(
    mostFailures: UInt32, secondsToForgetOne: UInt32, from present: TPMLockoutRules
  ) throws(TPMError) {
    try encrypt()
    try run {
      unsafe Esys_DictionaryAttackParameters(
        context, ESYS_TR(ESYS_TR_RH_LOCKOUT), session, ESYS_TR(ESYS_TR_NONE),
        ESYS_TR(ESYS_TR_NONE), mostFailures, secondsToForgetOne, present.secondsToRecover)
    }
  }

  private func property(_ property: TPM2_PT) throws(TPMError) -> UInt32 {
    var more: TPMI_YES_NO = 0
    var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
    try run {
      unsafe Esys_GetCapability(
        context, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE),
        TPM2_CAP_TPM_PROPERTIES, property, 1, &more, &data)
    }
    defer { unsafe Esys_Free(data) }
    guard let data = unsafe data, unsafe data.pointee.capability == TPM2_CAP_TPM_PROPERTIES,
      unsafe data.pointee.data.tpmProperties.count >= 1,
      unsafe data.pointee.data.tpmProperties.tpmProperty.0.property == property
    else { throw .garbled }
    return unsafe data.pointee.data.tpmProperties.tpmProperty.0.value
  }
}
