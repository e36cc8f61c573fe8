import Protocol

extension OneTimePassword {
  /// Why a text makes no one-time passwords. Reveals nothing of the text.
  package enum Problem: String, Error {
    case otherScheme = "it does not begin with otpauth:// or steam://, and is not a key in base32"
    case severalCodes = "it is an export of several codes; export or scan them one by one"
    case tooLong = "it is longer than 4096 bytes"
    case otherKind = "it is neither TOTP, HOTP nor a code of Steam"
    case saysTwice = "it says one thing twice"
    case noKey = "it has no secret"
    case otherKey = "its secret is not written in base32"
    case shortKey = "it is too short for a key of one-time codes, which has at least 16 characters"
    case longKey = "its secret is longer than 512 bytes"
    case otherFunction = "its algorithm is none of SHA1, SHA256 and SHA512"
    case otherDigits = "its digits are not between 4 and 10"
    case otherEncoder = "its encoder is unknown"
    case otherPeriod = "its period is not between 1 and 86400 seconds"
    case noCounter = "its counter is not a number that can be counted on"
  }

  private static let longestText = 4096
  private static let longestKey = 512
  /// 80 bits: what sites show, and more than most passwords that happen to be base32.
  private static let leastSignsAlone = 16
  private static let scheme = "otpauth://"
  private static let steamScheme = "steam://"
  private static let counterRange: ClosedRange<UInt64> = 0...UInt64(Int64.max) - 1

  /// Whether an item's secret is only a key, which is all that some sites show and some programs
  /// export.
  package enum KeyAlone: Sendable {
    case refused
    /// The item says that it makes one-time passwords.
    case expected
    /// It may as well be a password, so it has to be as long as a site's key.
    case possible
  }

  /// Reads an item's secret: a text of ``init(reading:)``, or only the key.
  package init(secret: Span<UInt8>, keyAlone: KeyAlone) throws(Problem) {
    let text = secret.extracting(Self.place(of: secret))
    guard keyAlone != .refused, text.indices.allSatisfy({ text[$0] != UInt8(ascii: ":") }) else {
      try self.init(reading: secret)
      return
    }
    let signs = text.indices.count { Self.value(ofSign: text[$0]) != nil }
    guard keyAlone == .expected || signs >= Self.leastSignsAlone else { throw .shortKey }
    try self.init(keyAlone: secret)
  }

  /// Reads `otpauth://totp/LABEL?secret=…`, `otpauth://hotp/…`, `otpauth://steam/…` or
  /// `steam://KEY`, in any spelling that leaves no doubt. Ignores white space around it, and other
  /// parameters than secret, algorithm, digits, period, counter, encoder and issuer.
  package init(reading text: Span<UInt8>) throws(Problem) {
    let place = Self.place(of: text)
    guard place.count <= Self.longestText else { throw .tooLong }
    let whole = text.extracting(place)
    guard !whole.begins(with: Self.steamScheme) else {
      try self.init(
        keyAlone: whole.extracting(droppingFirst: Self.steamScheme.utf8.count), form: .steam)
      return
    }
    guard !whole.begins(with: "otpauth-migration://") else { throw .severalCodes }
    guard whole.begins(with: Self.scheme) else { throw .otherScheme }
    let kind = (place.lowerBound + Self.scheme.utf8.count..<place.upperBound).prefix {
      text[$0] != UInt8(ascii: "/") && text[$0] != UInt8(ascii: "?")
    }
    let said = try Parameters(in: text, from: kind.upperBound, to: place.upperBound)
    let kindName = text.extracting(kind).word
    guard ["totp", "hotp", "steam"].contains(kindName) else { throw .otherKind }
    let usesEncoder = try said.usesSteamEncoder(text)
    let isSteam =
      usesEncoder || kindName == "steam"
      || said.issuers.contains { text.extracting($0).word == "steam" }
    guard kindName != "hotp" || !isSteam else { throw .otherKind }
    guard let keyPlace = said.secret, !keyPlace.isEmpty else { throw .noKey }
    let key = try Self.key(text.extracting(keyPlace))
    let function = try Self.function(said.algorithm.map { text.extracting($0).word } ?? "")
    let digits = said.digits.map { text.extracting($0).number } ?? 6
    guard let digits, 4...10 ~= digits else { throw .otherDigits }
    let factor: Factor
    if kindName == "hotp" {
      let counter = said.counter.map { text.extracting($0).number } ?? 0
      guard let counter, Self.counterRange.contains(counter) else { throw .noCounter }
      factor = .counter(counter)
    } else {
      let period = said.period.map { text.extracting($0).number } ?? 30
      guard let period, 1...86_400 ~= period else { throw .otherPeriod }
      factor = .time(period: UInt32(period))
    }
    self.init(
      factor: factor, function: function, form: isSteam ? .steam : .decimal(digits: Int(digits)),
      key: key, counter: said.counterPlace)
  }

  /// A new one every 30 seconds: what a key alone means to other programs.
  package init(keyAlone text: Span<UInt8>) throws(Problem) {
    try self.init(keyAlone: text, form: .decimal(digits: 6))
  }

  private init(keyAlone text: Span<UInt8>, form: Form) throws(Problem) {
    let place = Self.place(of: text)
    guard place.count <= Self.longestText else { throw .tooLong }
    guard !place.isEmpty else { throw .noKey }
    self.init(
      factor: .time(period: 30), function: .sha1, form: form,
      key: try Self.key(text.extracting(place)), counter: CounterPlace(range: 0..<0, name: ""))
  }

  /// The text without a byte order mark and surrounding white space.
  private static func place(of text: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, text.count)
    if text.begins(with: "\u{FEFF}") { start = 3 }
    while start < end, text[start] <= UInt8(ascii: " ") { start += 1 }
    while start < end, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  /// Knows `SHA256`, `SHA-256`, `HmacSHA256` and the like. No name is SHA-1.
  private static func function(_ word: String) throws(Problem) -> HashFunction {
    switch word.hasPrefix("hmac") ? String(word.dropFirst(4)) : word {
    case "", "sha1": .sha1
    case "sha256": .sha256
    case "sha512": .sha512
    default: throw .otherFunction
    }
  }

  /// Bytes in base32 (RFC 4648 §6), in any case, padded or not, perhaps with percent signs and two
  /// digits for characters. People write it in groups.
  private static func key(_ text: Span<UInt8>) throws(Problem) -> SecretBytes {
    var key = SecretBytes(count: text.count * 5 / 8 + 1)
    var (count, signs, isOver, isKey) = (0, 0, false, true)
    unsafe key.withUnsafeMutableBytes { target in
      var (bits, held): (UInt32, UInt32) = (0, 0)
      var index = 0
      while index < text.count {
        let sign = text.sign(at: &index)
        switch sign {
        case UInt8(ascii: "="): isOver = true
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "+"), 0x09, 0x0A, 0x0D: continue
        default:
          guard !isOver, let value = value(ofSign: sign) else {
            isKey = false
            return
          }
          bits = bits << 5 | value
          (held, signs) = (held + 5, signs + 1)
          guard held >= 8 else { continue }
          held -= 8
          unsafe target[count] = UInt8(truncatingIfNeeded: bits >> held)
          count += 1
        }
      }
    }
    guard isKey, count > 0, ![1, 3, 6].contains(signs % 8) else { throw .otherKey }
    guard count <= longestKey else { throw .longKey }
    return key.extracting(0..<count)
  }

  private static func value(ofSign sign: UInt8) -> UInt32? {
    switch sign {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(sign - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(sign - UInt8(ascii: "a"))
    case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(sign - UInt8(ascii: "2")) + 26
    default: nil
    }
  }
}
