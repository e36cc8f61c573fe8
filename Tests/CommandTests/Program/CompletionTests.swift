import ArgumentParser
import Testing

@testable import authcore

@Suite("Completing what is typed")
struct CompletionTests {
  @Test("quotation marks and backslashes of what was typed are no part of a word")
  func unquoted() {
    #expect(CompletionWords.unquoted("mail") == "mail")
    #expect(CompletionWords.unquoted("'my mail") == "my mail")
    #expect(CompletionWords.unquoted("my\\ ma\"i'l\"") == "my mai'l")
    #expect(CompletionWords.unquoted("\\") == "\\")
  }

  @Test("options and the service of a command line that is not finished are found")
  func words() {
    let words = CompletionWords(["authcore", "--home", "/x", "item", "get", "my\\ mail", ""])
    #expect(words.value(of: "--home") == "/x" && words.value(of: "--driver") == nil)
    #expect(words.firstArgument(behind: "item") == "my mail")
    let option = CompletionWords(["authcore", "item", "get", "--service=a=b", ""])
    #expect(option.value(of: "--service") == "a=b" && option.firstArgument(behind: "item") == nil)
  }

  @Test("what others chose is quoted for the shell, and what is no line is left out")
  func quoting() {
    let texts = ["a b", "it's", "$(touch x)", "two\nlines", "", "https://x", "b"]
    #expect(
      CompletionText.lines(texts, beginningWith: "", for: .bash)
        == ["'$(touch x)'", "'a b'", "'b'", "'https://x'", "'it'\\''s'"])
    #expect(CompletionText.lines(texts, beginningWith: "h", for: .zsh) == ["https\\://x"])
    #expect(CompletionText.lines(texts, beginningWith: "'a ", for: .fish) == ["a b"])
  }
}
