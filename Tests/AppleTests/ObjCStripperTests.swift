import Testing
import strip_objc

@Suite("Sources written with Objective-C in mind")
struct ObjCStripperTests {
  /// Pairs of a source and its result.
  struct Sample: CustomTestStringConvertible, Sendable {
    let source: String
    let stripped: String
    var testDescription: String { source }

    init(_ source: String, _ stripped: String) {
      self.source = source
      self.stripped = stripped
    }
  }

  @Test(
    "X5: attributes of Objective-C's become blanks, and every other column stays where it was",
    arguments: [
      Sample("@objc public class A {}", "      public class A {}"),
      Sample("@objc(KCKeychain) class A {}", "                  class A {}"),
      Sample("@objcMembers final class A {}", "             final class A {}"),
      Sample("@nonobjc func f() {}", "         func f() {}"),
      Sample("public @objc dynamic var a = 1", "public               var a = 1"),
      Sample("@objc(store:for:)\nfunc f() {}", "                 \nfunc f() {}"),
      Sample("@available(macOS 10.15, *) func f() {}", "@available(macOS 10.15, *) func f() {}"),
      Sample("let dynamic = 1; f(dynamic)", "let dynamic = 1; f(dynamic)"),
      Sample("@objcopy var a", "@objcopy var a"),
      Sample("é@objc var", "é      var"),
    ])
  func stripped(_ sample: Sample) {
    #expect(ObjCStripper.strip(sample.source) == sample.stripped)
  }

  @Test(
    "comments, texts and names in backquotes stay as they are",
    arguments: [
      "// @objc here", "/* @objc /* @objc */ @objc */", "let a = \"@objc\"",
      "let a = \"\"\"\n@objc \"quoted\"\n\"\"\"", "let a = #\"@objc \" @objc\"#",
      "let a = \"\\(b(\"@objc\")) @objc\"", "let a = \"\\\" @objc\"", "let `@objc` = 1",
      "let a = ##\"\\#(x) @objc \"# @objc\"##", "/* @objc without an end", "\"@objc without an end",
    ])
  func kept(_ source: String) { #expect(ObjCStripper.strip(source) == source) }

  @Test("truncated source is copied to its end")
  func truncated() {
    let source = "@objc(a:b:) public class A { /* c */ let t = \"\\(x(\"y\"))\"; let u = #\"v\"# }"
    for count in 0...source.count {
      let part = String(source.prefix(count))
      #expect(ObjCStripper.strip(part).count == part.count)
    }
  }
}
