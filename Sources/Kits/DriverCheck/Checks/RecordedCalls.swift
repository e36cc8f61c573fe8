import AuthcoreABI
import Glibc
import LinuxSystem
import Protocol

/// The calls of a recorded session, from the text beside the recording (docs/recordings.md).
struct RecordedCalls {
  private struct Call {
    let line: Int
    let words: [String]
    /// What the call has to come to; nil if that is not said.
    let expected: [String]?
  }

  private let calls: [Call]
  private static let longest = 65_536
  /// Milliseconds that a touch may take to come. A recording has no time.
  private static let timeout: UInt32 = 30_000

  /// Nil if there is no such file.
  /// - Throws: `failed` for a text that holds no calls, or more than 64 KiB.
  init?(_ path: String) throws(CheckEnd) {
    guard unsafe access(path, F_OK) == 0 else { return nil }
    guard let bytes = SmallFile.contents(of: path, limit: Self.longest),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw .failed("\(path) cannot be read as UTF-8 text of up to \(Self.longest) bytes")
    }
    var calls: [Call] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = try Self.words(line, number: index + 1)
      guard !words.isEmpty else { continue }
      let sides = words.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      calls.append(
        Call(
          line: index + 1, words: Array(sides[0]),
          expected: sides.count > 1 ? Array(sides[1]) : nil))
    }
    guard !calls.isEmpty else { throw .failed("\(path) holds no calls") }
    self.calls = calls
  }

  /// Words are separated by spaces. A text in quotes becomes its bytes in hexadecimal.
  private static func words(_ line: Substring, number: Int) throws(CheckEnd) -> [String] {
    var words: [String] = []
    var rest = line.drop { $0.isWhitespace }
    while let first = rest.first, first != "#" {
      if first == "\"" {
        let text = rest.dropFirst().prefix { $0 != "\"" }
        guard text.endIndex < rest.endIndex else {
          throw .failed("line \(number) of the calls has a quotation without an end")
        }
        words.append(Self.hexadecimal(Array(text.utf8)))
        rest = rest[text.endIndex...].dropFirst()
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(word.lowercased())
        rest = rest[word.endIndex...]
      }
      rest = rest.drop { $0.isWhitespace }
    }
    return words
  }

  /// Makes the calls one after the other.
  /// - Returns: how many there were.
  /// - Throws: `failed` with the line of the call that came to something else.
  func play(on sensor: CheckedSensor) throws(CheckEnd) -> String {
    for call in calls {
      let place = "line \(call.line) of the calls"
      let came = try results(of: call, on: sensor, place)
      guard let expected = call.expected, came != expected else { continue }
      throw .failed(
        "\(place), \(call.words[0]), came to \(came.joined(separator: " ")), not to "
          + expected.joined(separator: " "))
    }
    return calls.count == 1 ? "1 call" : "\(calls.count) calls"
  }

  /// Makes the calls until one fails. What comes before that need not be what was recorded.
  func playUntilFailure(on sensor: CheckedSensor, _ place: String) {
    for call in calls {
      let came: [String]
      do throws(CheckEnd) {
        came = try results(of: call, on: sensor, place)
      } catch {
        return
      }
      if came.contains(where: { $0.hasPrefix("ac_err") }) { return }
    }
  }

  private func results(
    of call: Call, on sensor: CheckedSensor, _ place: String
  ) throws(CheckEnd) -> [String] {
    let names = try call.words.dropFirst().map { word throws(CheckEnd) in
      try Self.name(word, place)
    }
    let count = call.expected?.count ?? 1
    if call.words.first == "capture" {
      return try (0..<count).map { _ throws(CheckEnd) in
        let touch = try sensor.capture(Self.timeout, place)
        guard let frame = touch.frame else { return Self.word(touch.status) }
        return "\(frame.width)x\(frame.height)"
      }
    }
    guard let verb = call.words.first, Self.verbs.contains(verb) else { throw Self.noCall(place) }
    guard let chip = sensor.chip else {
      throw .failed("\(place): the sensor does not match on the chip")
    }
    switch (verb, names.count) {
    case ("clear", 0): return try done(chip.clear(), chip, place)
    case ("abandon", 0): return try done(chip.abandon(), chip, place)
    case ("enroll", 1):
      var name = names[0]
      return try done(chip.enroll(&name), chip, place)
    case ("remove", 1):
      var name = names[0]
      return try done(chip.remove(&name), chip, place)
    case ("touch", 0):
      return (0..<count).map { _ in
        var progress = ac_chip_progress_t()
        progress.struct_size = UInt32(MemoryLayout<ac_chip_progress_t>.size)
        let status = chip.touch(Self.timeout, &progress)
        return status == Status.ok ? "\(progress.percent)" : Self.word(status)
      }
    case ("commit", 0):
      var name = ac_chip_id_t()
      _ = try done(chip.commit(&name), chip, place)
      return [Self.hexadecimal(ChipCalls.bytes(name))]
    case ("list", 0): return try chip.list("in \(place)").map(Self.hexadecimal)
    case ("identify", _):
      let (status, match) = chip.identify(names, Self.timeout)
      guard status == Status.ok else { return [Self.word(status)] }
      return [match.count == 0 ? "none" : Self.hexadecimal(ChipCalls.bytes(match))]
    default: throw Self.noCall(place)
    }
  }

  private func done(
    _ status: ac_status_t, _ chip: ChipCalls, _ place: String
  ) throws(CheckEnd) -> [String] {
    try chip.expectOK(status, "the call", "in \(place)")
    return []
  }

  // MARK: Words

  private static let verbs: Set = [
    "clear", "enroll", "touch", "commit", "abandon", "list", "identify", "remove",
  ]

  private static func noCall(_ place: String) -> CheckEnd {
    .failed(
      "\(place) is no call",
      advice: "clear, enroll NAME, touch, commit, abandon, list, identify NAME…, remove NAME, "
        + "capture; then = and what it comes to (docs/recordings.md)")
  }

  /// `retry`, or the name of a failure.
  private static func word(_ status: ac_status_t) -> String {
    Status.isRetry(status) ? "retry" : Status.name(status).lowercased()
  }

  private static func name(_ word: String, _ place: String) throws(CheckEnd) -> ac_chip_id_t {
    let digits = Array(word)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
      UInt8(String(digits[index...index + 1]), radix: 16)
    }
    guard 1...Int(AC_CHIP_ID_MAX) ~= bytes.count, bytes.count * 2 == digits.count else {
      throw .failed(
        "\(place): \u{201C}\(word)\u{201D} is no name of a template",
        advice: "1 to \(AC_CHIP_ID_MAX) bytes, in hexadecimal or as \"text\"")
    }
    var name = ac_chip_id_t()
    name.count = UInt32(bytes.count)
    unsafe withUnsafeMutableBytes(of: &name.bytes) { unsafe $0.copyBytes(from: bytes) }
    return name
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { $0.digits(2, radix: 16) }.joined()
  }
}
