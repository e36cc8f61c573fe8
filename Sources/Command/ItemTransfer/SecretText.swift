import Protocol

/// Text that is put together in locked memory.
struct SecretText: ~Copyable {
  private var bytes: SecretBytes
  private(set) var count = 0
  /// Whether something did not fit.
  private(set) var isCut = false

  /// - Parameter limit: the most bytes.
  init(limit: Int) { bytes = SecretBytes(count: limit) }

  mutating func append(_ part: Span<UInt8>) {
    guard part.count <= bytes.count - count else {
      isCut = true
      return
    }
    let start = count
    unsafe bytes.withUnsafeMutableBytes { target in
      for index in part.indices { unsafe target[start + index] = part[index] }
    }
    count += part.count
  }

  mutating func append(_ text: String) { append(Array(text.utf8).span) }

  /// What was put together.
  consuming func finish() -> SecretBytes {
    let count = count
    return bytes.extracting(0..<count)
  }
}

extension SecretBytes {
  /// As text, for what becomes an attribute; nil where it is not UTF-8.
  var text: String? {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      return nil
    }
  }
}
