import Glibc

/// `write(2)` and `read(2)`, as often as it takes.
package enum DescriptorBytes {
  /// Writes every byte.
  /// - Returns: false if that failed; `errno` says why.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  /// Reads to the end, or until there are more than `limit` bytes.
  /// - Returns: nil if that failed; `errno` says why. More than `limit` bytes are never all of them.
  package static func read(from descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
    while bytes.count <= limit {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return bytes
  }
}
