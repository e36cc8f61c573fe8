// Talks to a TPM 2.0 by ESYS: seals and unseals secrets, and counts.

import CTSS
import Glibc
import Protocol

/// A storage key of a TPM and a session with it, for the commands of one request.
///
/// The storage key is ECC P-256, made from the seed of the owner hierarchy by a template, so it
/// stays the same until the TPM is cleared. The session is salted with that key: a listener on the
/// bus learns no secret, and a false TPM is detected, as long as the key has the expected name.
/// Nothing stays in the TPM afterwards. One thread.
@safe
package final class TPMConversation {
  let transmission: TPMTransmission
  let context: OpaquePointer
  private(set) var primary = ESYS_TR(ESYS_TR_NONE)
  private(set) var session = ESYS_TR(ESYS_TR_NONE)
  /// The name of the storage key (TPM 2.0 part 1, "Names"), which tells one TPM from another, and
  /// from itself before it was cleared.
  package private(set) var primaryName: [UInt8] = []

  /// - Parameters:
  ///   - transport: brings commands to the TPM.
  ///   - name: of the storage key; nil: any.
  /// - Throws: ``TPMError/foreign`` for another name.
  package init(over transport: any TPMTransport, expecting name: [UInt8]?) throws(TPMError) {
    Self.silence
    transmission = TPMTransmission(transport)
    var made: OpaquePointer?
    let code = unsafe Esys_Initialize(&made, transmission.context, nil)
    guard code == 0, let made = unsafe made else {
      throw transmission.takeFailure() ?? TPMError(code)
    }
    unsafe context = made
    do throws(TPMError) {
      try makePrimary()
      if let name, name != primaryName { throw .foreign }
      try startSession()
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  /// Keeps tpm2-tss from writing errors to standard error, which a plugin must not (common.h).
  private static let silence: Void = { _ = unsafe setenv("TSS2_LOG", "all+none", 1) }()

  private func end() {
    guard !isEnded else { return }
    isEnded = true
    flush(session)
    flush(primary)
    transmission.wipeBuffer()
    transmission.forgetBuffer()
    var ending: OpaquePointer? = unsafe context
    unsafe Esys_Finalize(&ending)
  }

  private var isEnded = false
  private var hasMadeRoom = false

  /// Removes an object or a session from the TPM by a raw command, because ESYS takes no command
  /// after an unreadable answer (TPM 2.0 part 3, `TPM2_FlushContext`).
  func flush(_ handle: ESYS_TR) {
    if let number = number(of: handle) { flush(number: number) }
  }

  private func number(of handle: ESYS_TR) -> TPM2_HANDLE? {
    var number: TPM2_HANDLE = 0
    guard handle != ESYS_TR(ESYS_TR_NONE),
      unsafe Esys_TR_GetTpmHandle(context, handle, &number) == 0
    else { return nil }
    return number
  }

  /// Makes room: a conversation that was cut short has left objects there. The kernel's resource
  /// manager shows no process those of another.
  private func removeLeftovers() {
    for first in [ac_tpm_first_object, ac_tpm_first_session] {
      var more: TPMI_YES_NO = 0
      var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
      let code = unsafe Esys_GetCapability(
        context, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE),
        TPM2_CAP_HANDLES, first, 16, &more, &data)
      defer { unsafe Esys_Free(data) }
      guard code == 0, let data = unsafe data, unsafe data.pointee.capability == TPM2_CAP_HANDLES
      else { continue }
      let count = unsafe min(16, Int(data.pointee.data.handles.count))
      let numbers = unsafe withUnsafeBytes(of: &data.pointee.data.handles.handle) {
        unsafe Array($0.bindMemory(to: TPM2_HANDLE.self).prefix(count))
      }
      let own = [number(of: primary), number(of: session)]
      for number in numbers where !own.contains(number) { flush(number: number) }
    }
  }

  private func flush(number: TPM2_HANDLE) {
    let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) }
    let command: [UInt8] = [0x80, 0x01, 0, 0, 0, 14, 0, 0, 0x01, 0x65] + digits
    transmission.send(command.span)
  }

  /// Runs one function of ESYS, and wipes its buffer. Makes room in the TPM and tries again if
  /// necessary.
  func run(_ body: () -> TSS2_RC) throws(TPMError) {
    let failure = attempt(body)
    guard failure == .crowded, !hasMadeRoom else {
      if let failure { throw failure }
      return
    }
    hasMadeRoom = true
    removeLeftovers()
    if let failure = attempt(body) { throw failure }
  }

  private func attempt(_ body: () -> TSS2_RC) -> TPMError? {
    let code = body()
    transmission.wipeBuffer()
    let failure = transmission.takeFailure()
    return code == 0 ? nil : failure ?? TPMError(code)
  }

  /// Sets which parameter the session encrypts in the next command: the first one of the command
  /// (`DECRYPT`, from the TPM's side), or of the answer (`ENCRYPT`).
  func encrypt(_ attributes: TPMA_SESSION = 0) throws(TPMError) {
    let continued = TPMA_SESSION_CONTINUESESSION
    try run { unsafe Esys_TRSess_SetAttributes(context, session, continued | attributes, 0xff) }
  }

  private func makePrimary() throws(TPMError) {
    var template = TPM2B_PUBLIC()
    template.publicArea.type = TPM2_ALG_ECC
    template.publicArea.nameAlg = TPM2_ALG_SHA256
    template.publicArea.objectAttributes =
      TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN
      | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED
      | TPMA_OBJECT_DECRYPT
    var curve = TPMS_ECC_PARMS()
    curve.symmetric.algorithm = TPM2_ALG_AES
    unsafe curve.symmetric.keyBits.aes = 128
    unsafe curve.symmetric.mode.aes = TPM2_ALG_CFB
    curve.scheme.scheme = TPM2_ALG_NULL
    curve.curveID = TPM2_ECC_NIST_P256
    curve.kdf.scheme = TPM2_ALG_NULL
    unsafe template.publicArea.parameters.eccDetail = curve
    var sensitive = TPM2B_SENSITIVE_CREATE()
    var outside = TPM2B_DATA()
    var registers = TPML_PCR_SELECTION()
    var handle = ESYS_TR(ESYS_TR_NONE)
    try run {
      unsafe Esys_CreatePrimary(
        context, ESYS_TR(ESYS_TR_RH_OWNER), ESYS_TR(ESYS_TR_PASSWORD), ESYS_TR(ESYS_TR_NONE),
        ESYS_TR(ESYS_TR_NONE), &sensitive, &template, &outside, &registers, &handle, nil, nil, nil,
        nil)
    }
    primary = handle
    primaryName = try name(of: primary)
  }

  /// The name of an object or index (TPM 2.0 part 1, "Names").
  func name(of handle: ESYS_TR) throws(TPMError) -> [UInt8] {
    var name: UnsafeMutablePointer<TPM2B_NAME>?
    try run { unsafe Esys_TR_GetName(context, handle, &name) }
    defer { unsafe Esys_Free(name) }
    guard let name = unsafe name else { throw .garbled }
    let count = unsafe min(Int(name.pointee.size), MemoryLayout.size(ofValue: name.pointee.name))
    return unsafe withUnsafeBytes(of: &name.pointee.name) { unsafe Array($0.prefix(count)) }
  }

  private func startSession() throws(TPMError) {
    var cipher = TPMT_SYM_DEF()
    cipher.algorithm = TPM2_ALG_AES
    unsafe cipher.keyBits.aes = 128
    unsafe cipher.mode.aes = TPM2_ALG_CFB
    var handle = ESYS_TR(ESYS_TR_NONE)
    try run {
      unsafe Esys_StartAuthSession(
        context, primary, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE),
        ESYS_TR(ESYS_TR_NONE), nil, TPM2_SE_HMAC, &cipher, TPM2_ALG_SHA256, &handle)
    }
    session = handle
  }
}

extension TPMConversation {
  /// Bytes of an authorization: as many as the digests of the objects have.
  package static var authorizationSize: Int { 32 }

  /// Gives `body` an authorization in the form of ESYS, and wipes it.
  func withAuthorization(
    _ authorization: borrowing SecretBytes, _ body: (inout TPM2B_AUTH) throws(TPMError) -> Void
  ) throws(TPMError) {
    precondition(authorization.count <= Self.authorizationSize, "an authorization of 32 bytes")
    var filled = TPM2B_AUTH()
    defer { unsafe wipe(&filled) }
    filled.size = UInt16(authorization.count)
    unsafe withUnsafeMutableBytes(of: &filled.buffer) { target in
      unsafe authorization.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
    try body(&filled)
  }

  /// Authorizes `handle` while `body` runs.
  func authorizing<Value: ~Copyable>(
    _ handle: ESYS_TR, with authorization: borrowing SecretBytes,
    _ body: () throws(TPMError) -> Value
  ) throws(TPMError) -> Value {
    try withAuthorization(authorization) { (filled) throws(TPMError) in
      try run { unsafe Esys_TR_SetAuth(context, handle, &filled) }
    }
    defer {
      // ESYS copies the whole structure, so zeros replace the secret.
      var none = TPM2B_AUTH()
      _ = unsafe Esys_TR_SetAuth(context, handle, &none)
    }
    return try body()
  }
}

@unsafe func wipe<Value>(_ value: UnsafeMutablePointer<Value>) {
  unsafe explicit_bzero(value, MemoryLayout<Value>.size)
}
