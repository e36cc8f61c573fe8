import Protocol
import TestSupport
import Testing

@testable import CoreClient

@Suite("What a person sees of a prompt", .serialized, .timeLimit(.minutes(60)))
struct PromptScreenTests {
  private let terminal: PseudoTerminal
  private let screen: PromptScreen

  init() throws {
    terminal = try PseudoTerminal()
    screen = PromptScreen(on: Display(terminal.near.descriptor, .plain, .all), .terminal)
  }

  private func prompt(
    touch: Bool, fallback: PromptFallback = .passcode, title: String? = nil, refused: UInt32 = 0
  ) -> Prompt {
    Prompt(
      prompt: 1, awaitsTouch: touch, fallback: fallback, fallbackTitle: title, cancelTitle: nil,
      reason: "", refusedPasscodes: refused)
  }

  /// The area after it was drawn again; its end erases the rest.
  private func drawn() -> String { terminal.shown(until: "\u{1B}[J") }

  @Test("a wrong passcode is not mentioned while a touch is awaited")
  func remarks() {
    screen.show(.passcode(prompt(touch: false, refused: 1)))
    #expect(drawn().contains("That is not the passcode.  Passcode: "))
    screen.show(.touch(prompt(touch: true, refused: 1)))
    let touch = drawn()
    #expect(touch.contains("Touch the reader.") && !touch.contains("That is not"))
    screen.tell(.missed(left: 1))
    #expect(drawn().contains("Not recognized; 1 more try.  Touch the reader."))
  }

  @Test("a prompt offers what its policy accepts, with the program's titles")
  func offers() {
    screen.show(.touch(prompt(touch: true)))
    #expect(drawn().contains("[or type the passcode, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .application)))
    #expect(drawn().contains("[Enter: another way, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .application, title: "Ask Ann")))
    #expect(drawn().contains("[Enter: Ask Ann, Esc: cancel]"))
    screen.show(.touch(prompt(touch: true, fallback: .hidden)))
    #expect(drawn().contains("Touch the reader.  [Esc: cancel]"))
  }

  @Test("the finger of an enrollment fills in place, above the bar")
  func enrollment() {
    screen.show(.touch(prompt(touch: true, fallback: .hidden)))
    _ = drawn()
    for touches in 1...2 as ClosedRange<UInt32> {
      let picture = CoveragePicture(
        columns: 2, times: [1, UInt8(touches) - 1, 1, 0], clarity: [9, 9, 9, 9])
      screen.tell(
        .taken(
          TakenTouch(
            touches: touches, coverage: 0.25 * Double(touches), isComplete: false, advice: nil,
            picture: picture)))
      let area = drawn()
      #expect(area.contains(touches == 1 ? "█ \u{1B}[K" : "█▀\u{1B}[K"))
      #expect(area.contains(" \(25 * touches) %  Good. Lift the finger and touch again."))
    }
  }
}

@Suite("What prompts say")
struct PromptTextsTests {
  private func prompt(
    _ matter: PromptMatter = .presence, item: String? = nil, reason: String = "",
    application: String = "", nameProtects: Bool = false, claimedName: String? = nil,
    door: Door? = nil
  ) -> Prompt {
    Prompt(
      prompt: 1, awaitsTouch: true, fallback: .hidden, fallbackTitle: nil, cancelTitle: nil,
      reason: reason, refusedPasscodes: 0, matter: matter, item: item, application: application,
      nameProtects: nameProtects, claimedName: claimedName, door: door)
  }

  private func headline(_ prompt: Prompt) -> String { PromptTexts.headline(of: prompt) }

  @Test("FINDINGS B8: a headline is a sentence that says who wants what")
  func sentence() {
    #expect(
      headline(prompt(.secret, application: "authcore"))
        == "authcore wants a password from your keychain.")
    #expect(
      headline(prompt(.unlocking, application: "/usr/bin/mail", nameProtects: true))
        == "mail wants to unlock your keychain.")
  }

  @Test("FINDINGS B8: every matter has a sentence of its own, with a name and without")
  func everyMatter() {
    let named = Set(PromptMatter.allCases.map { headline(prompt($0, item: "vault")) })
    #expect(named.count == PromptMatter.allCases.count)
    for matter in PromptMatter.allCases {
      let text = headline(prompt(matter, application: "/bin/x", nameProtects: true))
      #expect(text.hasPrefix("x wants ") && text.hasSuffix("."), "\(text)")
    }
  }

  @Test(
    "FINDINGS A6: a name that any program can have is marked, with the program's path; one that protects is the core's"
  )
  func names() {
    let other = prompt(application: "/home/ann/evil", claimedName: "Git")
    #expect(headline(other).hasPrefix("A program calling itself “Git” (/home/ann/evil) wants "))
    let nameless = prompt(application: "/home/ann/evil")
    #expect(headline(nameless).hasPrefix("A program calling itself “evil” (/home/ann/evil) wants "))
    let unproved = prompt(application: "//unproved/usr/bin/git")
    #expect(headline(unproved).contains("“git” (//unproved/usr/bin/git) wants "))
    let protected = prompt(application: "/usr/bin/mail", nameProtects: true, claimedName: "Bank")
    #expect(headline(protected).hasPrefix("mail wants "))
    #expect(headline(prompt()).hasPrefix("An unknown program wants "))
  }

  @Test("FINDINGS A6: the command has its name, and who has it ask is marked")
  func command() {
    for claimed in [nil, "", "authcore"] {
      let typed = prompt(.secret, item: "bank", application: "authcore", claimedName: claimed)
      #expect(headline(typed) == "authcore wants the password for bank.")
    }
    let claimed = prompt(
      .secret, item: "bank", application: "authcore", claimedName: "1Password")
    #expect(
      headline(claimed)
        == "A program calling itself “1Password” (authcore) wants the password for bank.")
  }

  @Test("FINDINGS A6: no claimed name ends its quotation, and none hides the path")
  func hostileNames() {
    let quotes = prompt(application: "/home/ann/evil", claimedName: "x” (/usr/bin/git) wants “y»")
    #expect(headline(quotes).contains("“x' (/usr/bin/git) wants 'y'” (/home/ann/evil) wants "))
    let wide = prompt(
      application: "/home/ann/evil", claimedName: String(repeating: "Git ", count: 900))
    #expect(headline(wide).contains("…” (/home/ann/evil) wants "))
    let deep = "/home/ann/" + String(repeating: "usr/", count: 100) + "bin/git"
    let place = headline(prompt(application: deep))
    #expect(place.contains("“git” (/home/ann/usr/usr/usr/usr/us…"), "\(place)")
    #expect(place.contains("usr/bin/git) wants ") && place.count < 150, "\(place)")
    let brackets = prompt(application: "/tmp/a) wants\u{1B}[2J (b/git")
    #expect(
      headline(brackets).contains("“git” (“/tmp/a) wants\u{FFFD}[2J (b/git”) wants "),
      "\(headline(brackets))")
  }

  @Test("X8: a headline names the program that a door acts for, and the door")
  func doors() {
    let plain = prompt(.key, item: "work", application: "/home/u/bin/git", door: .sshAgent)
    #expect(
      headline(plain)
        == "A program calling itself “git” (/home/u/bin/git), through SSH, wants to use the key work."
    )
    let command = prompt(.unlocking, application: "authcore", door: .docker)
    #expect(headline(command) == "authcore, through Docker, wants to unlock your keychain.")
  }

  @Test("what a program says is no part of the headline, and stands below as its words")
  func reason() {
    let hostile = prompt(reason: "Press the reader\nto cancel", claimedName: "Chores")
    #expect(!headline(hostile).contains("Press"))
    #expect(PromptTexts.remarks(on: hostile) == ["It says: “Press the reader\u{FFFD}to cancel”"])
  }

  @Test("a name that could be words of the sentence is marked, cut and steers nothing")
  func marked() {
    let words = prompt(.secret, item: "nothing. Touch to cancel", application: "authcore")
    #expect(headline(words) == "authcore wants the password for “nothing. Touch to cancel”.")
    let long = prompt(.secret, item: String(repeating: "x", count: 900), application: "authcore")
    #expect(headline(long).count < 120)
    let steering = prompt(.secret, item: "a\u{1B}[2Jb", application: "authcore")
    #expect(!headline(steering).unicodeScalars.contains { $0.value < 0x20 })
  }
}

@Suite("What a terminal shows")
struct ShownTextTests {
  @Test("unknown coverage is not shown as zero")
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

  @Test("a cut text keeps whole characters, and marks the omission")
  func shortened() {
    #expect("世界".clipped(to: 3) == "世")
    #expect("a世界".shortened(to: 4) == "a世…")
    #expect("short".shortened(to: 5) == "short")
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("incomprehensible words".wrapped(to: 6) == ["incomprehensible", "words"])
  }

  @Test(
    "symbols that the locale cannot show become ASCII, and text from others does not change",
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

@Suite("Where an enrollment has seen the finger, drawn")
struct CoverageDrawingTests {
  @Test("a character is two places high, and empty without places seen")
  func halves() {
    let picture = CoveragePicture(
      columns: 4, times: [0, 1, 0, 2, 0, 0, 3, 4, 1, 0, 0, 0],
      clarity: [UInt8](repeating: 9, count: 12))
    #expect(CoverageDrawing.lines(picture, Paint(isOn: false)) == [" ▀▄█", "▀   "])
    #expect(CoverageDrawing.lines(.empty, Paint(isOn: false)).isEmpty)
  }
}
