import CUtf8proc
package import Protocol

extension SecretBytes {
  /// What a person typed, in the one form that a new passcode or password is set in: normalization
  /// form C (UAX #15). Keyboards and terminals differ in how they write "é", and no person can tell.
  ///
  /// It is made in locked memory and never of a `String`, which would leave copies. Bytes that are
  /// no UTF-8 stay as they are.
  /// - Returns: nil where that is what they are already.
  package borrowing func normalized() -> SecretBytes? {
    let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    let scalars = unsafe withUnsafeBytes { source in
      let text = unsafe source.bindMemory(to: UInt8.self)
      return unsafe utf8proc_decompose(text.baseAddress, text.count, nil, 0, options)
    }
    guard scalars > 0 else { return nil }
    // utf8proc_reencode writes one byte behind the scalars. Blocks of the arena and pages are
    // aligned to more than the four bytes of one.
    var buffer = SecretBytes(count: scalars * MemoryLayout<Int32>.size + 1)
    let count = unsafe withUnsafeBytes { source in
      let text = unsafe source.bindMemory(to: UInt8.self)
      return unsafe buffer.withUnsafeMutableBytes { target in
        let wide = unsafe target.baseAddress?.bindMemory(to: Int32.self, capacity: scalars)
        let written = unsafe utf8proc_decompose(
          text.baseAddress, text.count, wide, scalars, options)
        return written == scalars ? unsafe utf8proc_reencode(wide, scalars, options) : 0
      }
    }
    guard count > 0, count < buffer.count else { return nil }
    let result = buffer.extracting(0..<count)
    let isSame = result.isEqual(to: bytes)
    guard !isSame else { return nil }
    return result
  }

  /// The same, or the bytes themselves where they are in that form or no text.
  package consuming func inNormalForm() -> SecretBytes {
    if let normalized = normalized() { return normalized }
    return self
  }

  /// What a new passcode or password is set as: in normal form, if there is room for that.
  /// - Throws: `usage` where it is longer than `limit` bytes in that form.
  package consuming func inNormalForm(limit: Int) throws(Failure) -> SecretBytes {
    let normalized = inNormalForm()
    let count = normalized.count
    guard count <= limit else {
      throw Failure(
        .usage, "In normalization form C that is \(count) bytes long, and more than \(limit)")
    }
    return normalized
  }
}

extension PromptAnswer {
  /// An answer with a secret of this kind as it was typed.
  /// - Throws: `usage` for an application password that is too long in normal form.
  package init(
    prompt: UInt32, _ secret: PromptedSecret, typed: consuming SecretBytes
  ) throws(Failure) {
    switch secret {
    case .passcode: self.init(prompt: prompt, passcode: typed)
    case .appPassword:
      self.init(
        prompt: prompt, kind: .passcode,
        passcode: try typed.inNormalForm(limit: longestAppPassword))
    }
  }

  /// An answer with the owner's passcode as it was typed. It travels in normal form, and as typed
  /// too where that differs, because earlier versions set passcodes as they were typed.
  package init(prompt: UInt32, passcode typed: consuming SecretBytes) {
    guard let normalized = typed.normalized() else {
      self.init(prompt: prompt, kind: .passcode, passcode: typed)
      return
    }
    self.init(
      prompt: prompt, kind: .passcode,
      passcode: normalized.count <= longestPasscode ? normalized : SecretBytes(count: 0),
      asTyped: typed)
  }
}
