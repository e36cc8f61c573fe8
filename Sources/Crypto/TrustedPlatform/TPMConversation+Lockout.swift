import CTSS

/// How a TPM protects authorizations from being guessed (TPM 2.0 part 1, "Dictionary Attack
/// Protection").
package struct TPMLockoutRules: Equatable, Sendable {
  /// Wrong authorizations after which it permits none.
  package let mostFailures: UInt32
  /// Seconds after which one of them is forgotten.
  package let secondsToForgetOne: UInt32
  /// Whether the owner of the machine has taken the right to change this.
  package let isOwned: Bool
  /// Seconds that a wrong lockout authorization costs.
  let secondsToRecover: UInt32
}

extension TPMConversation {
  /// The rules it follows at present. Not authenticated: nothing but what is said to people may
  /// depend on it.
  package func lockoutRules() throws(TPMError) -> TPMLockoutRules {
    let isOwned = try property(ac_tpm_permanent) & TPMA_PERMANENT_LOCKOUTAUTHSET != 0
    return TPMLockoutRules(
      mostFailures: try property(ac_tpm_max_auth_fail),
      secondsToForgetOne: try property(ac_tpm_lockout_interval), isOwned: isOwned,
      secondsToRecover: try property(ac_tpm_lockout_recovery))
  }

  /// Has it follow others, by the lockout authorization of a TPM that nobody has taken: an empty
  /// one.
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
