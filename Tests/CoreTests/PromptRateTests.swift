import Protocol
import Testing

@testable import AuthCore

@Suite("How often an application may be turned down")
struct PromptRateTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("the fifth prompt that is turned down within a minute is the last for a while")
  func five() {
    var rate = PromptRate()
    for time in 0..<5 {
      #expect(rate.wait(of: "/a", at: UInt64(time) * Self.second) == nil)
      rate.noteRefusal(of: "/a", at: UInt64(time) * Self.second)
    }
    #expect(rate.wait(of: "/a", at: 10 * Self.second) == 50 * Self.second)
    #expect(rate.wait(of: "/b", at: 10 * Self.second) == nil, "others may ask")
    let failure = rate.objection(to: "/a", at: 10 * Self.second)
    #expect(failure?.code == .notInteractive && failure?.hint == "it may ask again in 50 s")
    #expect(rate.wait(of: "/a", at: 60 * Self.second) == nil)
    rate.noteRefusal(of: "/a", at: 60 * Self.second)
    // Those of the second to the fifth second, and the last.
    #expect(rate.wait(of: "/a", at: 60 * Self.second + 1) == Self.second - 1)
  }

  @Test("a prompt that is answered makes good those before")
  func proof() {
    var rate = PromptRate()
    for _ in 0..<5 { rate.noteRefusal(of: "/a", at: 0) }
    rate.noteProof(for: "/b")
    #expect(rate.wait(of: "/a", at: 1) != nil)
    rate.noteProof(for: "/a")
    #expect(rate.wait(of: "/a", at: 1) == nil)
  }

  @Test("a program that takes many names is held to what all together may")
  func manyNames() {
    var rate = PromptRate()
    for index in 0..<20 {
      #expect(rate.wait(of: "/\(index)", at: 0) == nil)
      rate.noteRefusal(of: "/\(index)", at: 0)
    }
    #expect(rate.wait(of: "/new", at: Self.second) == 59 * Self.second)
    for index in 0..<10_000 { rate.noteRefusal(of: "/\(index)", at: Self.second) }
    #expect(rate.wait(of: "/new", at: 62 * Self.second) == nil)
  }
}
