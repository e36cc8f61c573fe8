internal import SensorKit

/// Reads the text of a tape, whose grammar is in docs/tapes.md. Any bytes give a tape or an error
/// with a line.
package struct TapeParser {
  /// The largest tape, in bytes.
  static let maximumSize = 1 << 20
  /// The longest line, in bytes, with room for the longest path that Linux opens.
  static let maximumLine = 4200
  /// The most times a touch is repeated by one line.
  static let maximumRepeat = 10_000
  /// The longest wait of one line.
  static let maximumWait = Duration.seconds(3600)
  /// What `sensor.h` accepts as pixels per inch.
  static let resolutions = 100...2000

  /// Returns why a picture cannot be played, or nil if it can.
  package typealias PictureCheck = (_ path: String) -> String?

  private let folder: String
  private let check: PictureCheck
  private var checked: Set<String> = []
  private var events: [Tape.Event] = []
  private var pixelsPerInch = 500
  private var lastTouch: TouchSource?

  private init(folder: String, check: @escaping PictureCheck) {
    (self.folder, self.check) = (folder, check)
  }

  /// Reads a whole tape. Relative paths start in the folder of `path`. `check` is called once for
  /// each picture.
  package static func parse(_ bytes: [UInt8], path: String, check: @escaping PictureCheck)
    throws(TapeError) -> Tape
  {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    var parser = TapeParser(folder: folder, check: check)
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      do throws(Reason) {
        try parser.read(line, isFirst: number == 1)
      } catch {
        throw TapeError(line: number, reason: error.text)
      }
    }
    return Tape(name: path, events: parser.events)
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, isFirst: Bool) throws(Reason) {
    let text = try Self.decode(bytes)
    let (word, rest) = Self.split(Self.withoutComment(text))
    if isFirst { return try Self.readHeader(word, rest) }
    guard let word = Word(rawValue: String(word)) else {
      if word.isEmpty { return }
      throw Reason(
        "\"\(word)\" is not a word of a tape; the words are "
          + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    switch word {
    case .ppi: pixelsPerInch = try Self.number(rest, for: word, in: Self.resolutions)
    case .touch: try readTouch(String(rest))
    case .repeat:
      let times = try Self.number(rest, for: word, in: 1...Self.maximumRepeat)
      guard let lastTouch else { throw Reason("there is no touch above that could be repeated") }
      events.append(.touch(lastTouch, times: times))
    case .wait: events.append(.wait(try Self.duration(rest)))
    case .noise: events.append(.noise(try Self.retryReason(rest)))
    case .unplug:
      try Self.expectNothing(rest, after: word)
      events.append(.unplug)
    case .plug:
      try Self.expectNothing(rest, after: word)
      events.append(.plug)
    }
  }

  private mutating func readTouch(_ rest: String) throws(Reason) {
    guard !rest.isEmpty else { throw Reason("touch needs the path of a binary PGM picture") }
    let path = rest.utf8.first == UInt8(ascii: "/") ? rest : folder + rest
    if checked.insert(path).inserted, let problem = check(path) {
      throw Reason("\(path) cannot be played: \(problem)")
    }
    let touch = TouchSource.file(path: path, pixelsPerInch: pixelsPerInch)
    lastTouch = touch
    events.append(.touch(touch, times: 1))
  }
}

extension TapeParser {
  /// The words a line can begin with.
  enum Word: String, CaseIterable {
    case ppi, touch, wait, noise, unplug, plug, `repeat`
  }

  /// Why a line is refused.
  struct Reason: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

// The text of one line.
extension TapeParser {
  /// The text of a line, without a carriage return.
  static func decode(_ bytes: ArraySlice<UInt8>) throws(Reason) -> Substring {
    guard bytes.count <= maximumLine else {
      throw Reason("the line has \(bytes.count) bytes; the limit is \(maximumLine)")
    }
    let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    if line.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw Reason("the file begins with a byte order mark; save it as UTF-8 without one")
    }
    if let control = line.first(where: { ($0 < 0x20 && $0 != UInt8(ascii: "\t")) || $0 == 0x7F }) {
      throw Reason("the byte 0x\(String(control, radix: 16)) is in it; a tape is a text file")
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Reason("it is not UTF-8; a tape is a text file")
    }
    return Substring(text)
  }

  /// A `#` begins a comment only at the start of a line and after white space, because paths may
  /// have one.
  static func withoutComment(_ line: Substring) -> Substring {
    var previous: UInt8?
    for (index, byte) in zip(line.utf8.indices, line.utf8) {
      if byte == UInt8(ascii: "#"), previous.map(isSpace) ?? true { return line[..<index] }
      previous = byte
    }
    return line
  }

  /// The first word and the rest, without white space around them.
  static func split(_ line: Substring) -> (word: Substring, rest: Substring) {
    let line = trimmed(line)
    let end = line.utf8.firstIndex(where: isSpace) ?? line.endIndex
    return (line[..<end], trimmed(line[end...]))
  }

  static func readHeader(_ word: Substring, _ rest: Substring) throws(Reason) {
    guard word == "authcore-tape" else {
      throw Reason("a tape begins with the line \"authcore-tape 1\"")
    }
    guard rest == "1" else {
      throw Reason("it is a tape of version \"\(rest)\"; this driver plays version 1")
    }
  }

  static func expectNothing(_ rest: Substring, after word: Word) throws(Reason) {
    guard rest.isEmpty else { throw Reason("nothing can follow \"\(word.rawValue)\"") }
  }

  /// A decimal number in `range`.
  static func number(_ text: Substring, for word: Word, in range: ClosedRange<Int>) throws(Reason)
    -> Int
  {
    guard let value = digits(text), range ~= value else {
      throw Reason(
        "\(word.rawValue) takes a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not \"\(text)\"")
    }
    return value
  }

  /// `250ms` or `2s`.
  static func duration(_ text: Substring) throws(Reason) -> Duration {
    let unit = text.drop { $0.isASCII && $0.isNumber }
    let value = digits(text[..<unit.startIndex])
    let duration: Duration? =
      switch unit {
      case "ms": value.map { .milliseconds($0) }
      case "s": value.map { .seconds($0) }
      default: nil
      }
    guard let duration, duration <= maximumWait else {
      throw Reason("wait takes a time such as 250ms or 2s, at most one hour, not \"\(text)\"")
    }
    return duration
  }

  static func retryReason(_ text: Substring) throws(Reason) -> RetryReason {
    guard let reason = RetryReason.allCases.first(where: { $0.tapeWord == text }) else {
      throw Reason(
        "noise takes one of " + RetryReason.allCases.map(\.tapeWord).joined(separator: ", ")
          + ", not \"\(text)\"")
    }
    return reason
  }

  /// Reads up to nine digits, which is enough and cannot overflow.
  private static func digits(_ text: Substring) -> Int? {
    guard 1...9 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(text)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    guard
      let start = text.utf8.firstIndex(where: { !isSpace($0) }),
      let last = text.utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return text[start...last]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

extension RetryReason {
  /// The word after `noise`: the name in `common.h` in lower case.
  var tapeWord: String {
    switch self {
    case .general: "general"
    case .tooDry: "too-dry"
    case .tooWet: "too-wet"
    case .tooShort: "too-short"
    case .tooFast: "too-fast"
    case .tooSlow: "too-slow"
    case .center: "center"
    case .lift: "lift"
    case .tooSkewed: "too-skewed"
    }
  }
}
