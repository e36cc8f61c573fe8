import CTSS
import Glibc

/// Brings commands to a TPM and its answers back.
package protocol TPMTransport: AnyObject {
  /// Sends one command and waits for its answer, of 10 to 4,096 bytes. Others may read both.
  func exchange(_ command: Span<UInt8>) throws(TPMError) -> [UInt8]
}

/// The transmission interface of ESYS (tss2_tcti.h) over a ``TPMTransport``.
///
/// Transmitting makes the exchange; receiving hands out the answer.
@safe
final class TPMTransmission {
  private let transport: any TPMTransport
  private let table: UnsafeMutablePointer<ac_tcti_t>
  private var answer: [UInt8] = []
  /// Why there is no answer; ESYS does not know.
  private var failure: TPMError?
  /// The buffer in which ESYS builds commands and decrypts answers. It stays the same until ESYS
  /// ends (tss2_sys.h).
  private var buffer: UnsafeMutableRawBufferPointer?

  /// Any number; identifies the interface in logs.
  private static let magic: UInt64 = 0x6175_7468_636f_7265

  init(_ transport: any TPMTransport) {
    self.transport = transport
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: ac_tcti_t())
    unsafe table.pointee.common.magic = Self.magic
    unsafe table.pointee.common.version = 1
    unsafe table.pointee.common.transmit = { context, size, command in
      guard let command = unsafe command else { return ac_tcti_refused }
      // ESYS keeps the command valid during this call (tss2_tcti.h).
      let bytes = unsafe Span(_unsafeStart: command, count: size)
      return unsafe TPMTransmission.of(context).transmit(bytes)
    }
    unsafe table.pointee.common.receive = { context, size, response, _ in
      guard let size = unsafe size else { return ac_tcti_refused }
      return unsafe TPMTransmission.of(context).receive(size, response)
    }
    unsafe table.pointee.common.finalize = { _ in }
    unsafe table.pointee.common.cancel = { _ in ac_tcti_no_such }
    unsafe table.pointee.common.getPollHandles = { _, _, _ in ac_tcti_no_such }
    unsafe table.pointee.common.setLocality = { _, _ in ac_tcti_no_such }
    // This object outlives the context of ESYS that it is given to.
    unsafe table.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// For ESYS; lives as long as this object.
  @unsafe var context: OpaquePointer { unsafe OpaquePointer(table) }

  func send(_ command: Span<UInt8>) { _ = try? transport.exchange(command) }

  func takeFailure() -> TPMError? { failure.take() }

  /// Wipes the last command and its answer from the buffer of ESYS.
  func wipeBuffer() {
    guard let buffer = unsafe buffer, let base = buffer.baseAddress else { return }
    unsafe explicit_bzero(base, buffer.count)
  }

  /// Stops wiping the buffer, before ESYS ends.
  func forgetBuffer() { unsafe buffer = nil }

  @unsafe private static func of(_ context: OpaquePointer?) -> TPMTransmission {
    guard let context = unsafe context,
      let owner = unsafe UnsafeMutablePointer<ac_tcti_t>(context).pointee.owner
    else { preconditionFailure("ESYS passes the context it was given") }
    return unsafe Unmanaged<TPMTransmission>.fromOpaque(owner).takeUnretainedValue()
  }

  private func transmit(_ command: Span<UInt8>) -> TSS2_RC {
    failure = nil
    do throws(TPMError) {
      answer = try transport.exchange(command)
      return 0
    } catch {
      failure = error
      return ac_tcti_failed
    }
  }

  @unsafe private func receive(
    _ size: UnsafeMutablePointer<Int>, _ response: UnsafeMutablePointer<UInt8>?
  ) -> TSS2_RC {
    guard let response = unsafe response else {
      unsafe size.pointee = answer.count
      return 0
    }
    unsafe buffer = UnsafeMutableRawBufferPointer(start: response, count: size.pointee)
    guard unsafe answer.count <= size.pointee else { return ac_tcti_too_short }
    for (index, byte) in answer.enumerated() { unsafe response[index] = byte }
    unsafe size.pointee = answer.count
    answer = []
    return 0
  }
}

package enum TPMError: Error, Equatable, Sendable {
  case absent
  case forbidden
  /// Another program holds it, or it asks to be tried later.
  case busy
  /// It has no room for another object or session.
  case crowded
  /// The connection broke off; only a new process reaches it again.
  case lost
  case late
  /// Its answer is unreadable, or not authentic.
  case garbled
  /// Too many wrong authorizations: it permits none for a while (`TPM_RC_LOCKOUT`).
  case lockedOut
  /// The authorization is wrong, and was counted if the object's are.
  case wrongAuthorization
  /// Another TPM sealed this, or it was cleared since.
  case foreign
  case noIndex
  case indexTaken
  /// It refuses for another reason, in words of tpm2-tss.
  case refused(String)
}

extension TPMError {
  /// From a return code of ESYS (tss2_common.h, tss2_tpm2_types.h). Drops the number of the
  /// parameter, handle or session in format-one codes of the TPM.
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
