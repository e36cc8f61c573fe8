import Protocol
import Testing

@testable import CoreClient

@Suite("What prompts say")
struct PromptTextsTests {
  private func prompt(
    _ matter: PromptMatter = .presence, item: String? = nil, reason: String = "",
    application: String = "", nameProtects: Bool = false, claimedName: String? = nil
  ) -> Prompt {
    Prompt(
      prompt: 1, awaitsTouch: true, fallback: .hidden, fallbackTitle: nil, cancelTitle: nil,
      reason: reason, refusedPasscodes: 0, matter: matter, item: item, application: application,
      nameProtects: nameProtects, claimedName: claimedName)
  }

  private func headline(_ prompt: Prompt) -> String { PromptTexts.headline(of: prompt) }

  @Test("FINDINGS B8: a headline is a sentence that says who wants what")
  func sentence() {
    #expect(
      headline(
        prompt(.secret, item: "example.org", application: "authcore", claimedName: "Git"))
        == "Git wants the password for example.org.")
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

  @Test("a name that any program can have is said to be claimed; one that protects is the core's")
  func names() {
    let other = prompt(application: "/home/ann/evil", claimedName: "Git")
    #expect(headline(other).hasPrefix("A program calling itself “Git” wants "))
    let nameless = prompt(application: "/home/ann/evil")
    #expect(headline(nameless).hasPrefix("A program calling itself “evil” wants "))
    let protected = prompt(application: "/usr/bin/mail", nameProtects: true, claimedName: "Bank")
    #expect(headline(protected).hasPrefix("mail wants "))
    #expect(headline(prompt()).hasPrefix("An unknown program wants "))
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
