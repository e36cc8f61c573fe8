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
  /// Milliseconds in which a call that awaits no finger returns (match_on_chip.h).
  private static let limit: UInt64 = 10_000

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

  /// What a call came to.
  private struct Outcome {
    /// In the words of the text.
    var words: [String] = []
    /// The failure that ended it.
    var failure: (status: ac_status_t, message: String?)?
  }

  /// Makes the calls one after the other.
  /// - Returns: how many there were.
  /// - Throws: `failed` with the line of the call that came to something else.
  func play(on sensor: CheckedSensor) throws(CheckEnd) -> String {
    for call in calls {
      let place = "line \(call.line) of the calls"
      let came = try make(call, on: sensor, place)
      let isExpected = call.expected.map { $0 == came.words } ?? (came.failure == nil)
      guard !isExpected else { continue }
      throw .failed(
        "\(place), \(call.words[0]), came to \(Self.list(came.words))"
          + (call.expected.map { ", not to " + Self.list($0) } ?? "")
          + (came.failure?.message.map { ": " + $0 } ?? ""))
    }
    return calls.count == 1 ? "1 call" : "\(calls.count) calls"
  }

  /// Makes the calls of a disturbed session until one fails. Until then, too, they may come to
  /// something else than was recorded.
  /// - Returns: the failure; nil if none failed.
  /// - Throws: `failed` for a call that breaks a rule that holds for every call.
  func playUntilFailure(
    on sensor: CheckedSensor, _ place: String
  ) throws(CheckEnd) -> ac_status_t? {
    for call in calls {
      if let failure = try make(call, on: sensor, place).failure { return failure.status }
    }
    return nil
  }

  /// Makes a call. Touches and captures are made as often as there are words, or until one fails
  /// unexpectedly.
  private func make(
    _ call: Call, on sensor: CheckedSensor, _ place: String
  ) throws(CheckEnd) -> Outcome {
    let verb = call.words.first ?? ""
    guard Self.verbs.contains(verb) else { throw Self.noCall(place) }
    let names = try call.words.dropFirst().map { word throws(CheckEnd) in
      try Self.name(word, place)
    }
    var outcome = Outcome()
    repeat {
      let (status, words, message) =
        verb == "capture" && names.isEmpty
        ? try capture(sensor, place) : try makeOnChip(verb, names, sensor, place)
      outcome.words += status == Status.ok ? words : [Self.word(status)]
      guard status < 100 else {
        outcome.failure = (status, message)
        guard call.expected?.starts(with: outcome.words) == true else { break }
        continue
      }
    } while Self.repeated.contains(verb) && outcome.words.count < call.expected?.count ?? 1
    return outcome
  }

  private typealias Result = (status: ac_status_t, words: [String], message: String?)

  private func capture(_ sensor: CheckedSensor, _ place: String) throws(CheckEnd) -> Result {
    let touch = try sensor.capture(Self.timeout, place)
    return (touch.status, touch.frame.map { ["\($0.width)x\($0.height)"] } ?? [], touch.message)
  }

  private func makeOnChip(
    _ verb: String, _ names: [ac_chip_id_t], _ sensor: CheckedSensor, _ place: String
  ) throws(CheckEnd) -> Result {
    guard let chip = sensor.chip else {
      throw .failed("\(place): the sensor does not match on the chip")
    }
    let start = CheckClock.now()
    var status: ac_status_t
    var words: [String] = []
    switch (verb, names.count) {
    case ("clear", 0): status = chip.clear()
    case ("abandon", 0): status = chip.abandon()
    case ("enroll", 1):
      var name = names[0]
      status = chip.enroll(&name)
    case ("remove", 1):
      var name = names[0]
      status = chip.remove(&name)
    case ("touch", 0):
      var progress = ac_chip_progress_t()
      progress.struct_size = UInt32(MemoryLayout<ac_chip_progress_t>.size)
      status = chip.touch(Self.timeout, &progress)
      words = ["\(progress.percent)"]
    case ("commit", 0):
      var name = ac_chip_id_t()
      status = chip.commit(&name)
      words = [Self.hexadecimal(ChipCalls.bytes(name))]
    case ("list", 0):
      let listed = try chip.tryList()
      (status, words) = (listed.status, listed.names.map(Self.hexadecimal))
    case ("identify", _):
      let answer = chip.identify(names, Self.timeout)
      status = answer.status
      words = [answer.match.count == 0 ? "none" : Self.hexadecimal(ChipCalls.bytes(answer.match))]
    default: throw Self.noCall(place)
    }
    let limit = verb == "touch" || verb == "identify" ? UInt64(Self.timeout) : Self.limit
    let message = try chip.judge(
      status, verb, place, milliseconds: (CheckClock.now() - start) / 1_000_000, limit: limit)
    return (status, words, message)
  }

  // MARK: Words

  private static let verbs: Set = [
    "clear", "enroll", "touch", "commit", "abandon", "list", "identify", "remove", "capture",
  ]

  /// Those that are made once for each word.
  private static let repeated: Set = ["capture", "touch"]

  private static func list(_ words: [String]) -> String {
    words.isEmpty ? "nothing" : words.joined(separator: " ")
  }

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
