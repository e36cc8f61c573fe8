import Cryptography
import Testing
import Wire

@testable import authcore

@Suite("What is printed")
struct RenderingTests {
  @Test("JSON escapes what it must, and what a terminal would obey")
  func escapes() {
    #expect(
      JSONValue.string("a\"b\\c\n\u{1B}[2J\u{9B}é").text == "\"a\\\"b\\\\c\\n\\u001b[2J\\u009bé\"")
  }

  @Test("members keep their order and those without a value are left out")
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
    "secrets are encoded as RFC 4648 has it",
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
    "a side of a sensor's pictures that varies is said to, and so is the resolution",
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

  @Test("coverage that is not known is not said to be none")
  func coverage() {
    #expect(EnrolmentBar(touches: 1, coverage: 0).plain == "touch 1")
    #expect(EnrolmentBar(touches: 3, coverage: 0.004).plain == "touch 3")
    #expect(EnrolmentBar(touches: 3, coverage: 0.234).plain == "touch 3, coverage 23 %")
  }

  @Test("text that others chose cannot command the terminal")
  func printable() {
    #expect("a\u{1B}[31mb\u{202E}c\r".printable == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}")
    #expect("Grüße, 世界".printable == "Grüße, 世界")
  }

  @Test("an error is one object with the name and the number Apple gives it")
  func failure() {
    let failure = Failure(.biometryLockout, "locked out", hint: "authcore unlock")
    #expect(
      failure.json.text
        == "{\"error\":{\"code\":-8,\"name\":\"biometryLockout\",\"message\":\"locked out\","
        + "\"hint\":\"authcore unlock\"}}")
  }

  @Test("a line that is replaced is not longer than the terminal is wide")
  func clipped() {
    #expect("short".clipped(to: 5) == "short")
    #expect("longer".clipped(to: 4) == "long\u{1B}[0m")
    #expect("\u{1B}[31mred\u{1B}[0m".clipped(to: 3) == "\u{1B}[31mred\u{1B}[0m")
    #expect("\u{1B}[31mreds\u{1B}[0m".clipped(to: 3) == "\u{1B}[31mred\u{1B}[0m")
  }

  @Test("columns are as wide as what is in them")
  func table() {
    var table = Table("a", "b")
    table.add("long", "x")
    table.add("s", "")
    #expect(table.lines(Paint(isOn: false)) == ["a     b", "long  x", "s"])
  }
}
