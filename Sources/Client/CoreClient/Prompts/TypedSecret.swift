import CUtf8proc
package import Protocol

/// A secret that is being typed.
package struct TypedSecret: ~Copyable {
  package init() {}

  private var bytes = SecretBytes(count: TypedSecret.limit)
  package private(set) var count = 0

  /// The longest secret that can be typed, in bytes.
  package static let limit = longestPasscode

  /// The message about a longer one.
  package static let tooLong = "At most \(limit) bytes can be typed"

  /// Whether more was typed than there is room for.
  package private(set) var isCut = false

  /// Adds a byte. Beyond the limit only ``isCut`` is set.
  package mutating func append(_ byte: UInt8) {
    guard count < Self.limit else { return isCut = true }
    let position = count
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[position] = byte }
    count += 1
  }

  /// Removes the last character with all its bytes of UTF-8.
  package mutating func removeLast() {
    var isInside = true
    while count > 0, isInside {
      isInside = bytes.bytes[count - 1] & 0xC0 == 0x80
      count -= 1
    }
  }

  /// Whether the last character is a combining accent (U+0300…U+036F).
  package var endsWithMark: Bool {
    guard count > 1 else { return false }
    let (lead, trail) = (bytes.bytes[count - 2], bytes.bytes[count - 1])
    return lead == 0xCC || lead == 0xCD && trail <= 0xAF
  }

  package mutating func removeAll() {
    bytes = SecretBytes(count: Self.limit)
    count = 0
    isCut = false
  }

  /// Returns what was typed, and removes it here.
  package mutating func take() -> SecretBytes {
    let secret = SecretBytes(copying: bytes.bytes.extracting(first: count))
    removeAll()
    return secret
  }
}

extension SecretBytes {
  /// What a person typed, in the form in which new passcodes and passwords are set: normalization
  /// form C (UAX #15). Keyboards and terminals differ in how they write "é", and people cannot see
  /// it.
  ///
  /// It is made in locked memory, not as a `String`, which would leave copies. Bytes that are not
  /// UTF-8 stay as they are.
  /// - Returns: nil if the bytes are in that form already.
  package borrowing func normalized() -> SecretBytes? {
    let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    let scalars = unsafe withUnsafeBytes { source in
      let text = unsafe source.bindMemory(to: UInt8.self)
      return unsafe utf8proc_decompose(text.baseAddress, text.count, nil, 0, options)
    }
    guard scalars > 0 else { return nil }
    // utf8proc_reencode writes one byte behind the scalars. Blocks of the arena and pages are
    // aligned to more than four bytes.
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

  /// The normal form, or the bytes themselves if they are in it or not text.
  package consuming func inNormalForm() -> SecretBytes {
    if let normalized = normalized() { return normalized }
    return self
  }

  /// The normal form of a new passcode or password.
  /// - Throws: `usage` if it is longer than `limit` bytes in that form.
  package consuming func inNormalForm(limit: Int) throws(Failure) -> SecretBytes {
    let normalized = inNormalForm()
    let count = normalized.count
    guard count <= limit else {
      throw Failure(
        .usage, "In normalization form C that has \(count) bytes, more than \(limit)")
    }
    return normalized
  }
}

extension PromptAnswer {
  /// An answer with a typed secret of this kind.
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

  /// An answer with the owner's typed passcode. It contains the normal form and, if that differs,
  /// the typed one, because earlier versions set passcodes as they were typed.
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
