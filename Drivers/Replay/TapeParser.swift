internal import SensorKit

/// Reads the text of a tape; docs/tapes.md is its grammar. Total: any bytes give a tape or an error
/// with a line.
package struct TapeParser {
  /// The largest tape, in bytes.
  static let maximumSize = 1 << 20
  /// The longest line, in bytes: room for the longest path that Linux opens.
  static let maximumLine = 4200
  /// The most times a touch is repeated by one line.
  static let maximumRepeat = 10_000
  /// The longest wait of one line.
  static let maximumWait = Duration.seconds(3600)
  /// What `sensor.h` accepts as pixels per inch.
  static let resolutions = 100...2000

  /// Says why a picture cannot be played, or nil when it can.
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

  /// Reads a whole tape. `path` names it and tells the folder that relative paths start from;
  /// `check` looks at a picture and is called once for each path.
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
