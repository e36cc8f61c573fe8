import Protocol

/// The secret of an item that Git stored: the password, and behind it, in lines of their own as Git
/// writes them, when it ends and what renews it (OAuth). An item of a password alone holds nothing
/// else, so that people and Git read one another's.
struct CredentialSecret: ~Copyable {
  let password: SecretBytes
  /// Seconds since 1970; nil: none is known.
  private(set) var expiry: Int64?
  private(set) var refreshToken: SecretBytes?

  private static let expiryKey = Array("password_expiry_utc=".utf8)
  private static let tokenKey = Array("oauth_refresh_token=".utf8)

  /// What Git has; nil without a password.
  init?(_ description: borrowing CredentialDescription) {
    guard let password = description.copyOfPassword(), password.count > 0 else {
      return nil
    }
    expiry = description.expiry
    refreshToken = description.copyOfRefreshToken()
    self.password = password
  }

  /// What an item holds: the first line, and lines that are known.
  /// - Throws: `errSecDecode` where Git could not be told it.
  init(reading secret: borrowing SecretBytes) throws(Failure) {
    let bytes = secret.bytes
    var lines: [Range<Int>] = []
    var start = 0
    for index in bytes.indices {
      switch bytes[index] {
      case 0, 0x0D:
        throw Failure(
          .errSecDecode, "The secret has a byte that Git takes in no password",
          hint: "Replace it: authcore item update … --secret")
      case 0x0A:
        lines.append(start..<index)
        start = index + 1
      default: break
      }
    }
    lines.append(start..<bytes.count)
    password = SecretBytes(copying: bytes.extracting(lines[0]))
    for line in lines.dropFirst() {
      let line = bytes.extracting(line)
      if let value = Self.value(of: Self.expiryKey, in: line) {
        expiry = Int64(String(decoding: value.indices.map { value[$0] }, as: UTF8.self))
      } else if let value = Self.value(of: Self.tokenKey, in: line) {
        refreshToken = SecretBytes(copying: value)
      }
    }
  }

  @_lifetime(copy line)
  private static func value(of key: [UInt8], in line: Span<UInt8>) -> Span<UInt8>? {
    guard line.count >= key.count, key.indices.allSatisfy({ line[$0] == key[$0] }) else {
      return nil
    }
    return line.extracting(droppingFirst: key.count)
  }

  /// As an item holds it.
  borrowing func joined() -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeRaw(password.bytes)
    writeRest(into: &encoder)
    return encoder.finish()
  }

  /// The lines that tell Git of it.
  borrowing func lines() -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeRaw(Array("password=".utf8).span)
    encoder.writeRaw(password.bytes)
    writeRest(into: &encoder)
    encoder.writeRaw([UInt8(ascii: "\n")].span)
    return encoder.finish()
  }

  private borrowing func writeRest(into encoder: inout WireEncoder) {
    if let expiry {
      encoder.writeRaw(([UInt8(ascii: "\n")] + Self.expiryKey + Array("\(expiry)".utf8)).span)
    }
    switch refreshToken {
    case .some(let token):
      encoder.writeRaw(([UInt8(ascii: "\n")] + Self.tokenKey).span)
      encoder.writeRaw(token.bytes)
    case .none: break
    }
  }
}
