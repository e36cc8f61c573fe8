import CoreClient
import Testing

@Suite("What a terminal shows")
struct ShownTextTests {
  @Test("coverage that is not known is not said to be none")
  func coverage() {
    #expect(EnrollmentBar(touches: 1, coverage: 0).plain == "touch 1")
    #expect(EnrollmentBar(touches: 3, coverage: 0.004).plain == "touch 3")
    #expect(EnrollmentBar(touches: 3, coverage: 0.234).plain == "touch 3, coverage 23 %")
  }

  @Test("text that others chose cannot command the terminal")
  func printable() {
    #expect("a\u{1B}[31mb\u{202E}c\r".printable == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}")
    #expect("Grüße, 世界".printable == "Grüße, 世界")
  }

  @Test(
    "text is as wide as a terminal shows it",
    arguments: [
      ("plain", 5), ("\u{1B}[31mred\u{1B}[0m", 3), ("世界", 4), ("e\u{301}", 1), ("Grüße", 5),
      ("👍🏽", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("🇨🇭", 2), ("1️⃣", 2), ("한", 2), ("", 0),
    ])
  func width(text: String, columns: Int) { #expect(text.width == columns) }

  @Test("what is cut keeps whole characters, and says that something is left out")
  func shortened() {
    #expect("世界".clipped(to: 3) == "世")
    #expect("a世界".shortened(to: 4) == "a世…")
    #expect("short".shortened(to: 5) == "short")
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("incomprehensible words".wrapped(to: 6) == ["incomprehensible", "words"])
  }

  @Test(
    "what the locale cannot show is made of ASCII, and text of others is left alone",
    arguments: [
      ("C", true), ("POSIX", true), ("", true), ("C.UTF-8", false), ("de_CH.utf8", false),
    ])
  func letters(locale: String, isASCII: Bool) {
    let text = "\u{201C}Zürich\u{201D} …  ━━──  ▀▄█"
    let shown = Letters(locale: locale).shown(text)
    #expect(shown == (isASCII ? "\"Zürich\" ...  ##--  '.#" : text))
  }

  @Test("a line that is replaced is not longer than the terminal is wide")
  func clipped() {
    #expect("short".clipped(to: 5) == "short")
    #expect("longer".clipped(to: 4) == "long")
    #expect("\u{1B}[31mred\u{1B}[0m".clipped(to: 3) == "\u{1B}[31mred\u{1B}[0m")
    #expect("\u{1B}[31mreds\u{1B}[0m".clipped(to: 3) == "\u{1B}[31mred\u{1B}[0m")
  }
}
