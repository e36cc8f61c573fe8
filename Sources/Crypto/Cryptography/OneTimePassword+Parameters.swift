extension OneTimePassword {
  /// The positions of what an `otpauth:` text says. An empty parameter, but for a counter, is as
  /// good as none.
  struct Parameters {
    private(set) var secret, algorithm, digits, period, counter, encoder: Range<Int>?
    /// The issuer, and what stands before the colon of the label.
    private(set) var issuers: [Range<Int>] = []
    private(set) var counterPlace = CounterPlace(range: 0..<0, name: "")

    /// Reads the path and the query of the URL.
    init(in text: Span<UInt8>, from start: Int, to end: Int) throws(Problem) {
      let over = (start..<end).first { text[$0] == UInt8(ascii: "#") } ?? end
      let mark = (start..<over).first { text[$0] == UInt8(ascii: "?") } ?? over
      if start < mark { takeLabel(in: text, start + 1..<mark) }
      var next = mark + 1
      while next < over {
        let part = (next..<over).prefix { text[$0] != UInt8(ascii: "&") }
        next = part.upperBound + 1
        var name = part.prefix { text[$0] != UInt8(ascii: "=") }
        guard name.upperBound < part.upperBound else { continue }
        let value = name.upperBound + 1..<part.upperBound
        // A text that was copied out of a web page has "&amp;" for "&".
        if text.extracting(name).begins(with: "amp;") { name = name.dropFirst(4) }
        try take(text.extracting(name).word, value)
      }
      counterPlace =
        counter.map { CounterPlace(range: $0, name: "") }
        ?? CounterPlace(range: over..<over, name: "&counter=")
    }

    private mutating func takeLabel(in text: Span<UInt8>, _ label: Range<Int>) {
      var index = label.lowerBound
      while index < label.upperBound {
        let start = index
        if text.sign(at: &index) == UInt8(ascii: ":") {
          return issuers.append(label.lowerBound..<start)
        }
      }
    }

    private mutating func take(_ name: String, _ value: Range<Int>) throws(Problem) {
      let known: [String: WritableKeyPath<Parameters, Range<Int>?>] = [
        "secret": \.secret, "algorithm": \.algorithm, "digits": \.digits, "period": \.period,
        "counter": \.counter, "encoder": \.encoder,
      ]
      if name == "issuer" { issuers.append(value) }
      guard let path = known[name] else { return }
      guard self[keyPath: path] == nil else { throw .saysTwice }
      self[keyPath: path] = value
      guard name != "secret", name != "counter", value.isEmpty else { return }
      self[keyPath: path] = nil
    }

    func usesSteamEncoder(_ text: Span<UInt8>) throws(Problem) -> Bool {
      guard let encoder else { return false }
      guard text.extracting(encoder).word == "steam" else { throw .otherEncoder }
      return true
    }
  }
}

extension Span<UInt8> {
  /// Whether it begins with a text of ASCII, in any case, or with exactly this text.
  func begins(with text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return false }
    return wanted.indices.allSatisfy { index in
      let isLetter = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= wanted[index] & 0xDF
      return self[index] == wanted[index]
        || (isLetter && self[index] & 0xDF == wanted[index] & 0xDF)
    }
  }

  /// In small letters, without what people write between the parts of a name. Not for secrets.
  var word: String {
    var (word, index) = ([UInt8](), 0)
    while index < count {
      let sign = sign(at: &index)
      guard !" -_+".utf8.contains(sign) else { continue }
      word.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= sign ? sign | 0x20 : sign)
    }
    return String(decoding: word, as: UTF8.self)
  }

  /// A number of at most 19 digits; 0 without any.
  var number: UInt64? {
    guard count <= 19 else { return nil }
    var number: UInt64 = 0
    for index in indices {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[index] else { return nil }
      number = number * 10 + UInt64(self[index] - UInt8(ascii: "0"))
    }
    return number
  }

  /// The character at `index`, which moves behind it: `%3D` is one character (RFC 3986 §2.1).
  func sign(at index: inout Int) -> UInt8 {
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
