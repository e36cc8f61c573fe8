package import Protocol

/// Makes one-time passwords of the time (RFC 6238, TOTP) or of a counter (RFC 4226, HOTP).
package struct OneTimePassword: ~Copyable, Sendable {
  package enum Factor: Equatable, Sendable {
    /// Each is valid for so many seconds.
    case time(period: UInt32)
    /// Each is valid once; the next one has the next number.
    case counter(UInt64)
  }

  /// How a number becomes a code.
  enum Form: Equatable {
    case decimal(digits: Int)
    /// Five letters and digits, as Steam's own program shows them.
    case steam
  }

  package let factor: Factor
  let function: HashFunction
  let form: Form
  let key: SecretBytes
  /// Where the text that was read has its counter, or where one is to be written.
  let counter: CounterPlace

  struct CounterPlace {
    let range: Range<Int>
    /// What comes before the number.
    let name: String
  }

  package struct Password: ~Copyable {
    /// Digits, or what Steam shows.
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
    let alphabet = form.alphabet
    var code = SecretBytes(count: form.count)
    // Steam's codes begin with the last digit of the number.
    let places = Array(0..<code.count)
    unsafe code.withUnsafeMutableBytes { target in
      for place in form == .steam ? places : places.reversed() {
        unsafe target[place] = alphabet[Int(value) % alphabet.count]
        value /= UInt32(alphabet.count)
      }
    }
    return code
  }

  /// The text that was read, with the next counter; nil without a counter.
  package func advanced(_ text: borrowing SecretBytes) -> SecretBytes? {
    guard case .counter(let number) = factor else { return nil }
    let next = Array("\(counter.name)\(number + 1)".utf8)
    let place = counter.range
    var advanced = SecretBytes(count: text.count - place.count + next.count)
    advanced.copy(text.bytes.extracting(first: place.lowerBound))
    advanced.copy(next.span, at: place.lowerBound)
    advanced.copy(
      text.bytes.extracting(droppingFirst: place.upperBound), at: place.lowerBound + next.count)
    return advanced
  }
}

extension OneTimePassword.Form {
  fileprivate var count: Int {
    switch self {
    case .decimal(let digits): digits
    case .steam: 5
    }
  }

  fileprivate var alphabet: [UInt8] {
    switch self {
    case .decimal: Array("0123456789".utf8)
    case .steam: Array("23456789BCDFGHJKMNPQRTVWXY".utf8)
    }
  }
}
