import CUtf8proc
package import Protocol

/// A secret as it is being typed.
package struct TypedSecret: ~Copyable {
  /// Nothing has been typed.
  package init() {}

  private var bytes = SecretBytes(count: TypedSecret.limit)
  /// How many bytes have been typed.
  package private(set) var count = 0

  /// The longest secret that can be typed, in bytes: that of a passcode.
  package static let limit = longestPasscode

  /// What is said of one that is longer.
  package static let tooLong = "At most \(limit) bytes can be typed"

  /// Whether more was typed than there is room for.
  package private(set) var isCut = false

  /// Adds a byte; beyond the limit it is only noted that there was more.
  package mutating func append(_ byte: UInt8) {
    guard count < Self.limit else { return isCut = true }
    let position = count
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[position] = byte }
    count += 1
  }

  /// Takes the last character back: a whole one, however many bytes of UTF-8 it has.
  package mutating func removeLast() {
    var isInside = true
    while count > 0, isInside {
      isInside = bytes.bytes[count - 1] & 0xC0 == 0x80
      count -= 1
    }
  }

  /// Whether the last character is an accent to be put on the one before it (U+0300…U+036F).
  package var endsWithMark: Bool {
    guard count > 1 else { return false }
    let (lead, trail) = (bytes.bytes[count - 2], bytes.bytes[count - 1])
    return lead == 0xCC || lead == 0xCD && trail <= 0xAF
  }

  /// Takes everything back.
  package mutating func removeAll() {
    bytes = SecretBytes(count: Self.limit)
    count = 0
    isCut = false
  }

  /// What was typed; nothing is left here.
  package mutating func take() -> SecretBytes {
    let secret = SecretBytes(copying: bytes.bytes.extracting(first: count))
    removeAll()
    return secret
  }
}

extension SecretBytes {
  /// What a person typed, in the one form that a new passcode or password is set in: normalization
  /// form C (UAX #15). Keyboards and terminals differ in how they write "é", and no person can tell.
  ///
  /// It is made in locked memory and never of a `String`, which would leave copies. Bytes that are
  /// no UTF-8 stay as they are.
  /// - Returns: nil if that is what they are already.
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

  /// The same, or the bytes themselves if they are in that form or no text.
  package consuming func inNormalForm() -> SecretBytes {
    if let normalized = normalized() { return normalized }
    return self
  }

  /// What a new passcode or password is set as: in normal form, if there is room for that.
  /// - Throws: `usage` if it is longer than `limit` bytes in that form.
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
  /// too if that differs, because earlier versions set passcodes as they were typed.
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
