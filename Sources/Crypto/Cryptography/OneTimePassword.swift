package import Protocol

/// Makes one-time passwords of the time (RFC 6238, TOTP) or of a counter (RFC 4226, HOTP).
package struct OneTimePassword: ~Copyable, Sendable {
  package enum Factor: Equatable, Sendable {
    /// Each is valid for so many seconds.
    case time(period: UInt32)
    /// Each is valid once; the next one has the next number.
    case counter(UInt64)
  }

  package static let digitRange: ClosedRange<UInt64> = 6...8

  package let factor: Factor
  let function: HashFunction
  let digits: Int
  let key: SecretBytes
  /// The position of the counter in the text that was read.
  let counterPlace: Range<Int>

  package struct Password: ~Copyable {
    /// Digits.
    package let code: SecretBytes
    /// Nil for a counter.
    package let secondsLeft: UInt32?
  }

  /// The password at a moment, in seconds since 1970, or of the counter.
  package func password(at seconds: UInt64) throws(CryptographyError) -> Password {
    switch factor {
    case .counter(let number): Password(code: try code(of: number), secondsLeft: nil)
    case .time(let period):
      Password(
        code: try code(of: seconds / UInt64(period)),
        secondsLeft: period - UInt32(seconds % UInt64(period)))
    }
  }

  /// RFC 4226 §5.3, with the hash functions of RFC 6238.
  private func code(of number: UInt64) throws(CryptographyError) -> SecretBytes {
    var message = WireEncoder()
    message.writeUInt64(number)
    let mac = try HMAC.code(for: message.finishPlain().span, with: key, by: function)
    let offset = Int(mac[mac.count - 1] & 0xF)
    var value = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    var code = SecretBytes(count: digits)
    unsafe code.withUnsafeMutableBytes { target in
      for index in (0..<digits).reversed() {
        unsafe target[index] = UInt8(ascii: "0") + UInt8(value % 10)
        value /= 10
      }
    }
    return code
  }

  /// The text that was read, with the next counter; nil without a counter.
  package func advanced(_ text: borrowing SecretBytes) -> SecretBytes? {
    guard case .counter(let number) = factor else { return nil }
    let next = Array("\(number + 1)".utf8)
    var advanced = SecretBytes(count: text.count - counterPlace.count + next.count)
    advanced.copy(text.bytes.extracting(first: counterPlace.lowerBound))
    advanced.copy(next.span, at: counterPlace.lowerBound)
    advanced.copy(
      text.bytes.extracting(droppingFirst: counterPlace.upperBound),
      at: counterPlace.lowerBound + next.count)
    return advanced
  }
}
