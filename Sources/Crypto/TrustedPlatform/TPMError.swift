import CTSS

/// Why a TPM did not do what it was asked.
package enum TPMError: Error, Equatable, Sendable {
  /// There is no such device.
  case absent
  /// The device may not be opened.
  case forbidden
  /// It is held by another program, or asks to be tried later.
  case busy
  /// It has no room for another object or session.
  case crowded
  /// The way to it broke off; only a process that opens it anew reaches it again.
  case lost
  /// It did not answer in time.
  case late
  /// What came as an answer is none, or was not made by it: its authentication does not fit.
  case garbled
  /// Too many wrong authorizations: it permits none for a while (`TPM_RC_LOCKOUT`).
  case lockedOut
  /// The authorization is wrong; with an object that its lock protects, it has counted that.
  case wrongAuthorization
  /// It is not the TPM that sealed this, or it has been cleared since.
  case foreign
  case noIndex
  case indexTaken
  /// It refuses for another reason, in the words of tpm2-tss.
  case refused(String)
}

extension TPMError {
  /// What a return code of ESYS means (tss2_common.h, tss2_tpm2_types.h). Of the TPM's own, those of
  /// format one carry the number of the parameter, handle or session they are about, which is
  /// dropped.
  init(_ code: TSS2_RC) {
    guard code >> 16 == 0 else {
      self = .garbled
      return
    }
    let isNumbered = code & ac_tpm_format_1 != 0
    switch isNumbered ? code & (ac_tpm_format_1 | 0x3f) : code {
    case ac_tpm_lockout: self = .lockedOut
    case ac_tpm_retry, ac_tpm_yielded, ac_tpm_testing, ac_tpm_nv_rate, ac_tpm_nv_unavailable:
      self = .busy
    case ac_tpm_object_memory, ac_tpm_session_memory: self = .crowded
    case ac_tpm_nv_defined: self = .indexTaken
    case ac_tpm_auth_fail, ac_tpm_bad_auth: self = .wrongAuthorization
    case ac_tpm_integrity: self = .foreign
    case ac_tpm_handle: self = .noIndex
    // A static text or one in a buffer of the thread (tss2_rc.h); copied at once.
    default: self = .refused(unsafe String(cString: Tss2_RC_Decode(code)))
    }
  }
}
