import ReplayDriver
import SensorKit
import Testing

@Suite("Tapes as text")
struct TapeParserTests {
  @Test("a tape with every word becomes its events, in order")
  func everyWord() throws {
    let tape = try parse(
      """
      authcore-tape 1
      # a comment, and an empty line

      ppi 1000
      touch right-index-1.pgm     # another comment
      touch /prints/left thumb#2.pgm
      wait 250ms
      wait 2s
      noise too-dry
      unplug
      plug
      repeat 3
      """)
    let second = TouchSource.file(path: "/prints/left thumb#2.pgm", pixelsPerInch: 1000)
    #expect(tape.name == "/tapes/one.tape")
    #expect(
      tape.events == [
        .touch(.file(path: "/tapes/right-index-1.pgm", pixelsPerInch: 1000), times: 1),
        .touch(second, times: 1),
        .wait(.milliseconds(250)),
        .wait(.seconds(2)),
        .noise(.tooDry),
        .unplug,
        .plug,
        .touch(second, times: 3),
      ])
  }

  @Test("without a ppi line the pictures have 500 ppi; a later line changes what follows")
  func resolution() throws {
    let tape = try parse("authcore-tape 1\ntouch a\nppi 363\ntouch a\n")
    #expect(
      tape.events == [
        .touch(.file(path: "/tapes/a", pixelsPerInch: 500), times: 1),
        .touch(.file(path: "/tapes/a", pixelsPerInch: 363), times: 1),
      ])
  }

  @Test("lines may end as on Windows, and the last one may have no end")
  func carriageReturns() throws {
    let tape = try parse("authcore-tape 1\r\ntouch a b.pgm\r\n\r\nnoise lift")
    #expect(
      tape.events == [
        .touch(.file(path: "/tapes/a b.pgm", pixelsPerInch: 500), times: 1), .noise(.lift),
      ])
  }

  @Test("every reason that the ABI has for another touch can be on a tape")
  func noiseWords() throws {
    let words = [
      "general", "too-dry", "too-wet", "too-short", "too-fast", "too-slow", "center", "lift",
      "too-skewed",
    ]
    let tape = try parse("authcore-tape 1\n" + words.map { "noise \($0)\n" }.joined())
    #expect(tape.events == (1...9).compactMap { RetryReason(rawValue: $0).map { .noise($0) } })
  }

  @Test(
    "a line that cannot be understood is refused with its number and the reason",
    arguments: [
      ("", 1, "begins with the line"),
      ("touch a.pgm\n", 1, "begins with the line"),
      ("authcore-tape 2\n", 1, "version \"2\""),
      ("\u{FEFF}authcore-tape 1\n", 1, "byte order mark"),
      ("authcore-tape 1\nhover a.pgm\n", 2, "\"hover\" is not a word of a tape"),
      ("authcore-tape 1\n\n#\nTouch a.pgm\n", 4, "\"Touch\" is not a word"),
      ("authcore-tape 1\ntouch\n", 2, "needs the path"),
      ("authcore-tape 1\ntouch # only a comment\n", 2, "needs the path"),
      ("authcore-tape 1\nppi 99\n", 2, "from 100 to 2000, not \"99\""),
      ("authcore-tape 1\nppi 1000000\n", 2, "from 100 to 2000"),
      ("authcore-tape 1\nppi 99999999999999999999\n", 2, "from 100 to 2000"),
      ("authcore-tape 1\nppi 5e2\n", 2, "from 100 to 2000"),
      ("authcore-tape 1\nrepeat 3\n", 2, "no touch above"),
      ("authcore-tape 1\ntouch a\nrepeat -1\n", 3, "from 1 to 10000, not \"-1\""),
      ("authcore-tape 1\ntouch a\nrepeat 0\n", 3, "from 1 to 10000"),
      ("authcore-tape 1\ntouch a\nrepeat 1000000000\n", 3, "from 1 to 10000"),
      ("authcore-tape 1\ntouch a\nrepeat\n", 3, "from 1 to 10000"),
      ("authcore-tape 1\nwait 250\n", 2, "such as 250ms"),
      ("authcore-tape 1\nwait -250ms\n", 2, "such as 250ms"),
      ("authcore-tape 1\nwait 3601s\n", 2, "at most one hour"),
      ("authcore-tape 1\nwait 99999999999999999999ms\n", 2, "at most one hour"),
      ("authcore-tape 1\nwait \u{0663}s\n", 2, "such as 250ms"),
      ("authcore-tape 1\nnoise too-loud\n", 2, "noise takes one of general, too-dry"),
      ("authcore-tape 1\nunplug now\n", 2, "nothing can follow"),
      ("authcore-tape 1\ntouch missing.pgm\n", 2, "missing.pgm cannot be played: it is missing"),
    ])
  func refusals(text: String, line: Int, reason: String) {
    expectRefusal(Array(text.utf8), line: line, reason: reason)
  }

  @Test(
    "binary junk is refused",
    arguments: [
      (Array("authcore-tape 1\ntouch \0\n".utf8), 2, "the byte 0x0"),
      ([0x7F, 0x45, 0x4C, 0x46], 1, "the byte 0x7f"),
      (Array("authcore-tape 1\ntouch ".utf8) + [0xC3, 0x28], 2, "not UTF-8"),
    ])
  func junk(bytes: [UInt8], line: Int, reason: String) {
    expectRefusal(bytes, line: line, reason: reason)
  }

  @Test("a line longer than any path is refused")
  func longLine() {
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: 4201)
    expectRefusal(Array("authcore-tape 1\n".utf8) + line, line: 2, reason: "the limit is 4200")
  }

  @Test("any change of one byte gives a tape or an error, never a trap")
  func mutations() throws {
    let text = Array(
      "authcore-tape 1\nppi 500\ntouch a.pgm # x\nwait 9ms\nnoise lift\nrepeat 2".utf8)
    var refused = 0
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[position] = byte
        do throws(TapeError) {
          _ = try TapeParser.parse(changed, path: "/t", check: { _ in nil })
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > text.count)
  }

  private func parse(_ text: String) throws -> Tape {
    try TapeParser.parse(Array(text.utf8), path: "/tapes/one.tape", check: { _ in nil })
  }

  private func expectRefusal(_ bytes: [UInt8], line: Int, reason: String) {
    do throws(TapeError) {
      _ = try TapeParser.parse(
        bytes, path: "/tapes/one.tape",
        check: { $0.contains("missing") ? "it is missing" : nil })
      Issue.record("the tape was accepted")
    } catch {
      #expect(error.line == line)
      #expect(error.reason.contains(reason), "\(error.reason)")
    }
  }
}

@Suite("Playing a tape")
struct TapePlaybackTests {
  private let touch = TouchSource.file(path: "/a", pixelsPerInch: 500)
  private let other = TouchSource.file(path: "/b", pixelsPerInch: 500)

  @Test("a repeated touch comes as often as its line says, then the tape goes on")
  func repeats() {
    var playback = play([.touch(touch, times: 1), .touch(touch, times: 2), .noise(.tooWet)])
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .askAgain(.tooWet))
    #expect(playback.next(within: .seconds(1)) == .end)
    #expect(playback.next(within: .seconds(1)) == .end)
  }

  @Test("a wait longer than a capture times that one out and goes on in the next")
  func longWait() {
    var playback = play([.wait(.seconds(3)), .touch(touch, times: 1)])
    #expect(playback.next(within: .seconds(2)) == .wait(.seconds(2)))
    playback.passed(.seconds(2))
    #expect(playback.next(within: .zero) == .timeOut)
    #expect(playback.next(within: .seconds(2)) == .wait(.seconds(1)))
    playback.passed(.seconds(1))
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
  }

  @Test(
    "a device that was unplugged fails until its plug line, and what happens meanwhile is not seen")
  func unplug() {
    var playback = play([
      .unplug, .touch(other, times: 3), .wait(.seconds(5)), .plug, .touch(touch, times: 1),
    ])
    #expect(playback.next(within: .seconds(1)) == .fail)
    #expect(playback.next(within: .seconds(1)) == .deliver(touch))
    #expect(playback.next(within: .seconds(1)) == .end)
  }

  @Test("a device that never comes back goes on failing")
  func unpluggedForEver() {
    var playback = play([.unplug, .touch(other, times: 1)])
    #expect(playback.next(within: .seconds(1)) == .fail)
    #expect(playback.next(within: .seconds(1)) == .fail)
  }

  private func play(_ events: [Tape.Event]) -> TapePlayback {
    TapePlayback(Tape(name: "a tape", events: events))
  }
}
