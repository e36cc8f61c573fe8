import CTSS
package import Protocol

extension SealedObject {
  package static let largestArea = 1024
}

/// The effect of a wrong authorization for a sealed object.
package enum TPMGuessing {
  /// The TPM counts it, and locks itself after too many.
  case counts
  /// Nothing happens: there is no authorization, or it cannot be guessed.
  case isFree
}

extension TPMConversation {
  /// Seals a secret.
  /// - Parameters:
  ///   - secret: at most 128 bytes.
  ///   - authorization: needed to unseal; at most ``authorizationSize`` bytes, the last not zero;
  ///     may be empty.
  ///   - guessing: whether the TPM counts wrong authorizations.
  /// - Returns: the sealed object.
  /// - Throws: the TPM's failure.
  package func seal(
    _ secret: borrowing SecretBytes, authorization: borrowing SecretBytes, guessing: TPMGuessing
  ) throws(TPMError) -> SealedObject {
    var template = TPM2B_PUBLIC()
    template.publicArea.type = TPM2_ALG_KEYEDHASH
    template.publicArea.nameAlg = TPM2_ALG_SHA256
    template.publicArea.objectAttributes =
      TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH
      | (guessing == .isFree ? TPMA_OBJECT_NODA : 0)
    unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL
    var sensitive = TPM2B_SENSITIVE_CREATE()
    defer { unsafe wipe(&sensitive) }
    try withAuthorization(authorization) { sensitive.sensitive.userAuth = $0 }
    sensitive.sensitive.data.size = UInt16(secret.count)
    unsafe withUnsafeMutableBytes(of: &sensitive.sensitive.data.buffer) { target in
      unsafe secret.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
    var outside = TPM2B_DATA()
    var registers = TPML_PCR_SELECTION()
    var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
    var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
    try encrypt(TPMA_SESSION_DECRYPT)
    defer {
      unsafe Esys_Free(privateArea)
      unsafe Esys_Free(publicArea)
    }
    try run {
      unsafe Esys_Create(
        context, primary, session, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), &sensitive,
        &template, &outside, &registers, &privateArea, &publicArea, nil, nil, nil)
    }
    return try unsafe SealedObject(
      publicArea: Self.marshaled { unsafe Tss2_MU_TPM2B_PUBLIC_Marshal(publicArea, $0, $1, $2) },
      privateArea: Self.marshaled {
        unsafe Tss2_MU_TPM2B_PRIVATE_Marshal(privateArea, $0, $1, $2)
      })
  }

  /// Unseals a secret.
  /// - Throws: ``TPMError/wrongAuthorization``, ``TPMError/lockedOut``; ``TPMError/foreign`` for an
  ///   object that is not of this TPM, or has been changed.
  package func unseal(
    _ object: SealedObject, authorization: borrowing SecretBytes
  ) throws(TPMError) -> SecretBytes {
    let handle = try load(object)
    defer { flush(handle) }
    var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
    defer {
      if let data = unsafe data { unsafe wipe(data) }
      unsafe Esys_Free(data)
    }
    return try authorizing(handle, with: authorization) { () throws(TPMError) in
      try encrypt(TPMA_SESSION_ENCRYPT)
      try run {
        unsafe Esys_Unseal(
          context, handle, session, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), &data)
      }
      guard let data = unsafe data else { throw .garbled }
      let most = unsafe MemoryLayout.size(ofValue: data.pointee.buffer)
      let count = unsafe min(Int(data.pointee.size), most)
      return unsafe withUnsafeBytes(of: &data.pointee.buffer) { bytes in
        unsafe SecretBytes(copying: bytes.bindMemory(to: UInt8.self).span.extracting(first: count))
      }
    }
  }

  private func load(_ object: SealedObject) throws(TPMError) -> ESYS_TR {
    var publicArea = TPM2B_PUBLIC()
    var privateArea = TPM2B_PRIVATE()
    // Marshaled by this type. Changes are refused here or by the TPM.
    var read = 0
    let isPublic = unsafe object.publicArea.withUnsafeBufferPointer {
      unsafe Tss2_MU_TPM2B_PUBLIC_Unmarshal($0.baseAddress, $0.count, &read, &publicArea)
    }
    guard isPublic == 0, read == object.publicArea.count else { throw .foreign }
    read = 0
    let isPrivate = unsafe object.privateArea.withUnsafeBufferPointer {
      unsafe Tss2_MU_TPM2B_PRIVATE_Unmarshal($0.baseAddress, $0.count, &read, &privateArea)
    }
    guard isPrivate == 0, read == object.privateArea.count else { throw .foreign }
    try encrypt()
    var handle = ESYS_TR(ESYS_TR_NONE)
    try run {
      unsafe Esys_Load(
        context, primary, session, ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE), &privateArea,
        &publicArea, &handle)
    }
    return handle
  }

  private static func marshaled(
    _ body: (UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) -> TSS2_RC
  ) throws(TPMError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SealedObject.largestArea)
    var count = 0
    let code = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe body($0.baseAddress, $0.count, &count)
    }
    guard code == 0 else { throw TPMError(code) }
    return Array(bytes.prefix(count))
  }
}
