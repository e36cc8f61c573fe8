import Protocol

/// Puts bytes one behind the other into locked memory.
struct SecretWriter: ~Copyable {
  private var bytes: SecretBytes
  private var used = 0

  /// Room for this many bytes, which is how many there will be.
  init(capacity: Int) { bytes = SecretBytes(count: capacity) }

  mutating func append(_ part: Span<UInt8>) {
    let start = used
    used += part.count
    unsafe bytes.withUnsafeMutableBytes { target in
      for index in part.indices { unsafe target[start + index] = part[index] }
    }
  }

  /// What was put in.
  consuming func finish() -> SecretBytes { bytes.extracting(0..<used) }
}
