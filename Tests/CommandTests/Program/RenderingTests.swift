import CoreClient
import Cryptography
import Protocol
import Testing

@testable import authcore

@Suite("What is printed")
struct RenderingTests {
  @Test("JSON escapes what the RFC demands, and what a terminal would obey")
  func escapes() {
    #expect(
      JSONValue.string("a\"b\\c\n\u{1B}[2J\u{9B}é").text == "\"a\\\"b\\\\c\\n\\u001b[2J\\u009bé\"")
  }

  @Test("members keep their order, and those without a value are left out")
  func members() {
    let value = JSONValue.object(["b": .bool(true), "a": nil, "c": .array([.integer(-1), .null])])
    #expect(value.text == "{\"b\":true,\"c\":[-1,null]}")
    #expect(JSONValue.object([:]).text == "{}")
    #expect(JSONValue.rounded(0.12345, decimals: 3).text == "0.123")
  }

  @Test(
    "times are ISO 8601 in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (1_772_357_400, "2026-03-01T09:30:00Z"),
      (-1, "1969-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] as [(Int64, String)])
  func times(seconds: Int64, text: String) {
    #expect(Timestamp.text(seconds) == text)
  }

  @Test(
    "secrets are encoded as in RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(plain: String, encoded: String) {
    let result = Base64.encoded(Array(plain.utf8).span)
    let isRight = result.isEqual(to: Array(encoded.utf8).span)
    #expect(isRight)
  }

  @Test(
    "a varying size or resolution of a sensor's pictures is described",
    arguments: [
      (96, 112, 500, "96 × 112 px at 500 ppi"),
      (304, 0, 500, "304 px wide, any height, at 500 ppi"),
      (0, 112, 0, "any width, 112 px high, any resolution"), (0, 0, 0, "any size, any resolution"),
      (0, 0, 363, "any size, at 363 ppi"), (96, 112, 0, "96 × 112 px, any resolution"),
    ] as [(UInt32, UInt32, UInt32, String)])
  func pictureSize(width: UInt32, height: UInt32, pixelsPerInch: UInt32, text: String) {
    #expect(
      PictureSize(width: width, height: height, pixelsPerInch: pixelsPerInch).text == text)
  }

  @Test("an error is one object with Apple's name and number")
  func failure() {
    let failure = Failure(.biometryLockout, "locked out", hint: "authcore unlock")
    #expect(
      failure.json.text
        == "{\"error\":{\"code\":-8,\"name\":\"biometryLockout\",\"message\":\"locked out\","
        + "\"hint\":\"authcore unlock\"}}")
  }

  @Test("a table is no wider than the terminal; the longest column gives way")
  func narrowTable() {
    var table = Table("name", "what", "day")
    table.add("a very long name that goes on and on", "short", "today")
    table.add("世界世界世界世界世界", "x", "")
    let lines = table.lines(Paint(isOn: false, columns: 30))
    #expect(lines.allSatisfy { $0.width <= 30 })
    #expect(lines[1] == "a very long nam…  short  today")
    #expect(lines[2] == "世界世界世界世…   x")
    #expect(table.lines(Paint(isOn: false))[1].hasPrefix("a very long name that goes on and on  "))
  }

  @Test("if columns would be unreadable, each row has lines of its own")
  func muchTooNarrow() {
    var table = Table("class", "service", "account")
    table.add("generic", "a service of a long name", "ann@example.org")
    table.add("note", "", "ann")
    #expect(
      table.lines(Paint(isOn: false, columns: 24)) == [
        "class    generic", "service  a service of a", "         long name",
        "account  ann@example.org",
        "", "class    note", "account  ann",
      ])
    #expect(
      table.lines(Paint(isOn: false, columns: 28, letters: .ascii))[1]
        == "generic  a servic~  ann@exa~")
  }

  @Test("facts are wrapped at spaces on a narrow terminal")
  func narrowFacts() {
    var facts = Facts()
    facts.add("sandbox", "one thing; another thing; a third thing")
    #expect(
      facts.lines(Paint(isOn: false, columns: 34)) == [
        "sandbox  one thing; another thing;", "         a third thing",
      ])
  }

  @Test("columns are as wide as their content")
  func table() {
    var table = Table("a", "b")
    table.add("long", "x")
    table.add("s", "")
    #expect(table.lines(Paint(isOn: false)) == ["a     b", "long  x", "s"])
  }
}
