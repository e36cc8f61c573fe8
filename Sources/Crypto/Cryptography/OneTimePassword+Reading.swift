import Protocol

extension OneTimePassword {
  /// Why a text makes no one-time passwords. Reveals nothing of the text.
  package enum Problem: String, Error {
    case otherScheme = "it does not begin with otpauth://"
    case tooLong = "it is longer than 4096 bytes"
    case otherKind = "it is neither of totp nor of hotp"
    case saysTwice = "it says one thing twice"
    case noKey = "it has no secret"
    case otherKey = "its secret is not written in base32"
    case longKey = "its secret is longer than 512 bytes"
    case otherFunction = "its algorithm is none of SHA1, SHA256 and SHA512"
    case otherDigits = "its digits are not 6, 7 or 8"
    case otherPeriod = "its period is not between 1 and 86400 seconds"
    case noCounter = "it has no counter that can be counted on"
  }

  private static let longestText = 4096
  private static let longestKey = 512
  private static let scheme = Array("otpauth://".utf8)
  private static let counterRange: ClosedRange<UInt64> = 0...UInt64(Int64.max) - 1

  /// Reads an item's secret: an `otpauth:` text, or only the key, which is all that some programs
  /// export.
  package init(secret: Span<UInt8>, mayBeKeyAlone: Bool) throws(Problem) {
    guard mayBeKeyAlone, !Self.begins(secret) else {
      try self.init(reading: secret)
      return
    }
    try self.init(keyAlone: secret)
  }

  private static func begins(_ text: Span<UInt8>) -> Bool {
    let place = place(of: text)
    return place.count >= scheme.count
      && text.extracting(place.lowerBound..<place.lowerBound + scheme.count).isWord(scheme)
  }

  /// Reads `otpauth://totp/LABEL?secret=…` or `otpauth://hotp/…`. Ignores white space around it,
  /// and other parameters than secret, algorithm, digits, period and counter.
  package init(reading text: Span<UInt8>) throws(Problem) {
    let place = Self.place(of: text)
    guard place.count <= Self.longestText else { throw .tooLong }
    guard Self.begins(text) else { throw .otherScheme }
    let kind = (place.lowerBound + Self.scheme.count..<place.upperBound).prefix {
      text[$0] != UInt8(ascii: "/") && text[$0] != UInt8(ascii: "?")
    }
    let isCounted: Bool
    if text.extracting(kind).isWord(Array("totp".utf8)) {
      isCounted = false
    } else {
      guard text.extracting(kind).isWord(Array("hotp".utf8)) else { throw .otherKind }
      isCounted = true
    }
    let said = try Parameters(in: text, from: kind.upperBound, to: place.upperBound)
    guard let keyPlace = said.secret, !keyPlace.isEmpty else { throw .noKey }
    let key = try Self.key(text.extracting(keyPlace))
    let function =
      try said.algorithm.map { (place) throws(Problem) in
        try Self.function(text.extracting(place))
      } ?? .sha1
    let digits = said.digits.map { text.extracting($0).number } ?? Self.digitRange.lowerBound
    guard let digits, Self.digitRange.contains(digits) else { throw .otherDigits }
    let (factor, counterPlace): (Factor, Range<Int>)
    if isCounted {
      guard let counter = said.counter, let number = text.extracting(counter).number,
        Self.counterRange.contains(number)
      else { throw .noCounter }
      (factor, counterPlace) = (.counter(number), counter)
    } else {
      let period = said.period.map { text.extracting($0).number } ?? 30
      guard let period, 1...86_400 ~= period else { throw .otherPeriod }
      (factor, counterPlace) = (.time(period: UInt32(period)), 0..<0)
    }
    self.init(
      factor: factor, function: function, digits: Int(digits), key: key, counterPlace: counterPlace)
  }

  /// Six digits every 30 seconds: what a key alone means to other programs.
  package init(keyAlone text: Span<UInt8>) throws(Problem) {
    let place = Self.place(of: text)
    guard place.count <= Self.longestText else { throw .tooLong }
    guard !place.isEmpty else { throw .noKey }
    self.init(
      factor: .time(period: 30), function: .sha1, digits: Int(Self.digitRange.lowerBound),
      key: try Self.key(text.extracting(place)), counterPlace: 0..<0)
  }

  /// The text without surrounding white space.
  private static func place(of text: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, text.count)
    while start < end, text[start] <= UInt8(ascii: " ") { start += 1 }
    while start < end, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }

  private static func function(_ text: Span<UInt8>) throws(Problem) -> HashFunction {
    let known: [(String, HashFunction)] = [
      ("SHA1", .sha1), ("SHA256", .sha256), ("SHA512", .sha512),
    ]
    for (name, function) in known where text.isWord(Array(name.utf8)) { return function }
    throw .otherFunction
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
        case UInt8(ascii: " "), UInt8(ascii: "-"): continue
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

  /// The positions of the parameters.
  private struct Parameters {
    var secret, algorithm, digits, period, counter: Range<Int>?

    /// Reads the query of the URL.
    init(in text: Span<UInt8>, from start: Int, to end: Int) throws(Problem) {
      let over = (start..<end).first { text[$0] == UInt8(ascii: "#") } ?? end
      let mark = (start..<over).first { text[$0] == UInt8(ascii: "?") } ?? over
      var next = mark + 1
      while next < over {
        let part = (next..<over).prefix { text[$0] != UInt8(ascii: "&") }
        next = part.upperBound + 1
        let name = part.prefix { text[$0] != UInt8(ascii: "=") }
        guard name.upperBound < part.upperBound else { continue }
        try take(text.extracting(name), name.upperBound + 1..<part.upperBound)
      }
    }

    private mutating func take(_ name: Span<UInt8>, _ value: Range<Int>) throws(Problem) {
      let known: [(String, WritableKeyPath<Parameters, Range<Int>?>)] = [
        ("secret", \.secret), ("algorithm", \.algorithm), ("digits", \.digits),
        ("period", \.period), ("counter", \.counter),
      ]
      for (word, path) in known where name.isWord(Array(word.utf8)) {
        guard self[keyPath: path] == nil else { throw .saysTwice }
        self[keyPath: path] = value
      }
    }
  }
}

extension Span<UInt8> {
  /// Compares with a word of letters, in any case, and digits.
  fileprivate func isWord(_ word: [UInt8]) -> Bool {
    guard count == word.count else { return false }
    return indices.allSatisfy { index in
      let isLetter = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self[index] & 0xDF
      return self[index] == word[index]
        || (isLetter && self[index] & 0xDF == word[index] & 0xDF)
    }
  }

  /// A number of at most 19 digits.
  fileprivate var number: UInt64? {
    guard 1...19 ~= count else { return nil }
    var number: UInt64 = 0
    for index in indices {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[index] else { return nil }
      number = number * 10 + UInt64(self[index] - UInt8(ascii: "0"))
    }
    return number
  }

  /// The character at `index`, which moves behind it: `%3D` is one character (RFC 3986 §2.1).
  fileprivate func sign(at index: inout Int) -> UInt8 {
    let first = self[index]
    guard first == UInt8(ascii: "%"), index + 2 < count,
      let high = Self.digit(self[index + 1]), let low = Self.digit(self[index + 2])
    else {
      index += 1
      return first
    }
    index += 3
    return high << 4 | low
  }

  private static func digit(_ sign: UInt8) -> UInt8? {
    switch sign {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): sign - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): sign - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): sign - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
