import Protocol
import SyntheticPrints
import Testing

@testable import ItemTransfer

@Suite("CSV, taken apart")
struct CSVParserTests {
  /// What came of a text: fields of rows that can be read, and what is wrong with the others.
  struct Rows: Equatable {
    var fields: [[String]] = []
    var lines: [Int] = []
    var problems: [CSVProblem] = []
    var problemLines: [Int] = []
    var openQuote: Int?
  }

  /// Reads a text in parts of `size` bytes.
  static func rows(_ bytes: [UInt8], inPartsOf size: Int = .max) -> Rows {
    var rows = Rows()
    var parser = CSVParser()
    func take(_ row: borrowing CSVRow) {
      if let problem = row.problem {
        rows.problems.append(problem)
        rows.problemLines.append(row.line)
      } else {
        rows.fields.append((0..<row.count).map { row.text($0) })
        rows.lines.append(row.line)
      }
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      parser.read(Array(rest.prefix(size)).span, take)
      rest = rest.dropFirst(size)
    }
    rows.openQuote = parser.finish(take)
    return rows
  }

  static func rows(_ text: String) -> Rows { rows(Array(text.utf8)) }

  @Test("fields, quotation marks, commas and ends of lines are those of RFC 4180")
  func form() {
    let rows = Self.rows("a,b,\"c\"\r\n\"d\"\"e\",\"f,g\",\"h\r\ni\"\r\n,,\r\n")
    #expect(rows.fields == [["a", "b", "c"], ["d\"e", "f,g", "h\r\ni"], ["", "", ""]])
    #expect(rows.lines == [1, 2, 4])
    #expect(rows.problems.isEmpty && rows.openQuote == nil)
  }

  @Test(
    "lines end with CR LF, LF or CR, the last may end with nothing, and empty lines are ignored",
    arguments: ["a,b\r\nc,d", "a,b\nc,d\n", "a,b\rc,d\r", "\n\na,b\n\n\r\nc,d\r\n\r\n"])
  func lineEnds(text: String) {
    #expect(Self.rows(text).fields == [["a", "b"], ["c", "d"]])
  }

  @Test("lines are counted as an editor counts them, within quotation marks too")
  func lineNumbers() {
    let rows = Self.rows("a\r\n\"b\nc\rd\r\ne\"\n\nf\rg")
    #expect(rows.lines == [1, 2, 7, 8])
  }

  @Test("a byte order mark is no part of the first field, quoted or not")
  func byteOrderMark() {
    for field in ["url", "\"url\""] {
      let bytes = [0xEF, 0xBB, 0xBF] + Array("\(field),x\n".utf8)
      for size in 1...4 {
        #expect(Self.rows(bytes, inPartsOf: size).fields == [["url", "x"]])
      }
    }
    #expect(Self.rows([0xEF, 0xBB]).problems == [.notUTF8(field: 1)])
    #expect(Self.rows("").fields.isEmpty)
    #expect(Self.rows("x").fields == [["x"]])
  }

  @Test("a quotation mark out of place spoils its row and no other")
  func brokenQuotes() {
    let rows = Self.rows("a,b\nc\"d,e\n\"f\"g,\"h\ni,j\n")
    #expect(rows.fields == [["a", "b"], ["i", "j"]])
    #expect(rows.problems == [.strayQuote(field: 1), .textAfterQuote(field: 1)])
    #expect(rows.problemLines == [2, 3])
    #expect(Self.rows("x,y,z\"\n").problems == [.strayQuote(field: 3)])
  }

  @Test("a quotation mark that nothing closes is named by its line")
  func openQuote() {
    let rows = Self.rows("a,b\nc,\"d\ne,f\n")
    #expect(rows.fields == [["a", "b"]])
    #expect(rows.openQuote == 2)
    #expect(Self.rows("\"a\"").openQuote == nil)
    #expect(Self.rows("\"a\"\"").openQuote == 1)
  }

  @Test("NUL bytes and invalid UTF-8 spoil their row, and the field is named")
  func bytes() {
    let rows = Self.rows(Array("a,\u{0}\nb,c\nd,".utf8) + [0xFF] + Array("\né,ü".utf8))
    #expect(rows.problems == [.nulByte(field: 2), .notUTF8(field: 2)])
    #expect(rows.fields == [["b", "c"], ["é", "ü"]])
    // A character that a comma cuts in two is none, whatever stands behind the comma.
    #expect(Self.rows([0xC3, 0x2C, 0xA9]).problems == [.notUTF8(field: 1)])
  }

  @Test("a row at the limit is read, one byte more is left out, and the next one is read again")
  func longRows() {
    let limit = CSVRow.longest
    for (count, isRead) in [(limit - 1, true), (limit, false)] {
      let long = [UInt8](repeating: UInt8(ascii: "x"), count: count)
      let rows = Self.rows(Array("y,".utf8) + long + Array("\na,b\n".utf8), inPartsOf: 5000)
      #expect(rows.fields.last == ["a", "b"])
      #expect(rows.fields.count == (isRead ? 2 : 1))
      #expect(rows.problems == (isRead ? [] : [.tooLong]))
    }
    let commas = String(repeating: ",", count: CSVRow.mostFields)
    #expect(Self.rows(commas + "\na\n").problems == [.tooManyFields])
    #expect(Self.rows(commas.dropLast() + "\n").problems.isEmpty)
  }

  @Test("a line of 200 MB takes the memory of one row, and is one row that is left out")
  func hugeLine() {
    var parser = CSVParser()
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    var problems: [CSVProblem?] = []
    for _ in 0..<200 { parser.read(part.span) { problems.append($0.problem) } }
    #expect(problems.isEmpty)
    let open = parser.finish { problems.append($0.problem) }
    #expect(open == nil && problems == [.tooLong])
  }

  @Test("rows are the same however the bytes come")
  func parts() {
    var generator = RandomNumbers(seed: 11)
    let alphabet = Array("ab\",\r\n\u{0}é".utf8) + [0xFF]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      let whole = Self.rows(bytes)
      for size in [1, 2, 3, 7] { #expect(Self.rows(bytes, inPartsOf: size) == whole, "\(bytes)") }
    }
  }
}
