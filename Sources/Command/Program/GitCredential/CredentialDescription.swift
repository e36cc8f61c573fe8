import Protocol

/// A credential as Git describes it: lines `key=value` up to an empty line (git-credential(1),
/// "INPUT/OUTPUT FORMAT"). Unknown keys are ignored, as Git asks helpers to do.
///
/// A NUL or carriage return in any line is refused, as Git does: programs disagree on whether the
/// latter ends a line (CVE-2024-52006).
struct CredentialDescription: ~Copyable {
  private(set) var scheme: String?
  /// With the port, unless it is the protocol's default.
  private(set) var host: String?
  private(set) var path: String?
  private(set) var username: String?
  private var password: SecretBytes?
  private var refreshToken: SecretBytes?
  /// Seconds since 1970.
  private(set) var expiry: Int64?
  /// Whether Git passes this helper's state on to its next run.
  private(set) var keepsState = false
  /// Whether the credential came from this helper.
  private(set) var isOurs = false

  /// The longest description, in bytes. It fits into locked memory.
  static let longest = 128 << 10
  /// The state that marks a credential of this helper.
  static let ownState = "authcore.given=1"

  /// - Parameters:
  ///   - bytes: the whole description.
  ///   - isWhole: whether the last line must end, so that nothing truncated is stored.
  /// - Throws: `usage` for anything that Git never writes.
  init(_ bytes: Span<UInt8>, isWhole: Bool) throws(Failure) {
    var start = 0
    var number = 1
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      if end == start { return }
      guard end < bytes.count || !isWhole else {
        throw Self.failure(number, "has no end: something was cut off")
      }
      try read(bytes.extracting(start..<end), number)
      start = end + 1
      number += 1
    }
  }

  borrowing func copyOfPassword() -> SecretBytes? { password?.duplicate() }

  borrowing func copyOfRefreshToken() -> SecretBytes? { refreshToken?.duplicate() }

  private mutating func read(_ line: Span<UInt8>, _ number: Int) throws(Failure) {
    var equals: Int?
    for index in line.indices {
      switch line[index] {
      case 0: throw Self.failure(number, "has a zero byte")
      case 0x0D: throw Self.failure(number, "has a carriage return")
      case UInt8(ascii: "="): equals = equals ?? index
      default: break
      }
    }
    guard let equals, let key = Self.text(line.extracting(first: equals)) else {
      throw Self.failure(number, "is not of the form key=value")
    }
    let value = line.extracting(droppingFirst: equals + 1)
    switch key {
    case "password": password = SecretBytes(copying: value)
    case "oauth_refresh_token": refreshToken = SecretBytes(copying: value)
    case "protocol", "host", "path", "username", "password_expiry_utc", "capability[]", "state[]":
      guard let text = Self.text(value) else { throw Self.failure(number, "is not UTF-8") }
      set(key, to: text)
    default: break
    }
  }

  private mutating func set(_ key: String, to text: String) {
    switch key {
    case "protocol": scheme = text
    case "host": host = text
    case "path": path = text
    case "username": username = text
    case "password_expiry_utc": expiry = Int64(text)
    case "capability[]": if text == "state" { keepsState = true }
    default: if text == Self.ownState { isOurs = true }
    }
  }

  private static func text(_ bytes: Span<UInt8>) -> String? {
    String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  private static func failure(_ line: Int, _ reason: String) -> Failure {
    Failure(.usage, "Line \(line) from Git \(reason)", hint: "Nothing was given or stored.")
  }
}

/// The secret of an item that Git stored: the password on the first line, and its expiry and OAuth
/// refresh token on lines of their own. An item with a password alone holds nothing else, so people
/// and Git can read each other's items.
struct CredentialSecret: ~Copyable {
  let password: SecretBytes
  /// Seconds since 1970; nil if unknown.
  private(set) var expiry: Int64?
  private(set) var refreshToken: SecretBytes?

  private static let expiryKey = Array("password_expiry_utc=".utf8)
  private static let tokenKey = Array("oauth_refresh_token=".utf8)

  /// The secret that Git describes; nil without a password.
  init?(_ description: borrowing CredentialDescription) {
    guard let password = description.copyOfPassword(), password.count > 0 else {
      return nil
    }
    expiry = description.expiry
    refreshToken = description.copyOfRefreshToken()
    self.password = password
  }

  /// Reads an item's secret: the first line, and known further lines.
  /// - Throws: `errSecDecode` for bytes that Git does not accept.
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

  /// The secret as an item holds it.
  borrowing func joined() -> SecretBytes {
    var encoder = WireEncoder()
    encoder.writeRaw(password.bytes)
    writeRest(into: &encoder)
    return encoder.finish()
  }

  /// The lines for Git.
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
