import CoreClient
import Testing

@testable import WindowContents

@Suite("The drawn fingerprint")
struct DrawnFingerprintTests {
  @Test("the lines lie on the finger, and none is a dot")
  func ridges() {
    #expect(FingerprintRidges.lines.count > 12)
    for line in FingerprintRidges.lines {
      #expect(line.count > 2)
      #expect(line.allSatisfy(FingerprintRidges.isOnFinger))
    }
  }

  @Test("a match fills it once, from nothing to all of it")
  func filling() {
    var motion = FingerprintMotion()
    motion.begin(.filling, at: 10)
    #expect(motion.fill(at: 10) == 0)
    #expect(motion.fill(at: 10.1) < motion.fill(at: 10.2))
    #expect(motion.fill(at: 11) == 1)
    #expect(!motion.isOver(at: 10.2))
    #expect(motion.isOver(at: 11))
  }

  @Test("a miss swings it to both sides, and it comes to rest")
  func shaking() {
    var motion = FingerprintMotion()
    motion.begin(.shaking, at: 0)
    let offsets = (0...50).map { motion.offset(at: Double($0) / 100) }
    #expect(offsets.contains { $0 > 0.02 })
    #expect(offsets.contains { $0 < -0.02 })
    #expect(motion.offset(at: 0.6) == 0)
    #expect(motion.isOver(at: 0.6))
  }
}

@Suite("The pause between prompts")
struct PromptPauseTests {
  @Test("the first prompt waits for nothing, the next one for a second after the last was over")
  func pause() {
    let start = ContinuousClock.now
    var pause = PromptPause()
    #expect(pause.remaining(at: start) == nil)
    pause.promptEnded(at: start)
    #expect(pause.remaining(at: start) == .seconds(1))
    #expect(pause.remaining(at: start + .milliseconds(400)) == .milliseconds(600))
    #expect(pause.remaining(at: start + .seconds(1)) == nil)
    pause.promptEnded(at: start + .seconds(2))
    #expect(pause.remaining(at: start + .milliseconds(2500)) == .milliseconds(500))
  }
}

@Suite("Texts")
struct LocalizedTests {
  @Test(
    "values are filled in, in order or by number",
    arguments: [
      ("%s of %s", ["1", "2"], "1 of 2"), ("%2$s, %1$s", ["a", "b"], "b, a"),
      ("100 %", [], "100 %"), ("%%s", ["x"], "%s"), ("%s and %s", ["one"], "one and "),
      ("%3$s", ["one"], ""), ("%1$s", [], ""),
    ])
  func filledIn(text: String, values: [String], expected: String) {
    #expect(Phrase(key: text, values: values).english == expected)
  }

  @Test("text is escaped for markup")
  func markup() {
    #expect("<b>&amp;".asMarkup == "&lt;b&gt;&amp;amp;")
  }
}
