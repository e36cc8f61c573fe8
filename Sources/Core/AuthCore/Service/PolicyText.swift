/// The part of TOML (toml.io, version 1.0.0) that a policy uses: tables with simple names, and in
/// them numbers, booleans, strings and lists of strings, one entry a line. Anything else is an
/// error with its line.
struct PolicyText {
  enum Value: Equatable {
    case number(Int)
    case flag(Bool)
    case texts([String])
  }

  /// One line `[name]`.
  struct Table: Equatable {
    let name: String
    let line: Int
  }

  /// One line `name = value`.
  struct Entry: Equatable {
    let table: String
    let name: String
    let value: Value
    let line: Int
  }

  struct Problem: Error, Equatable {
    let line: Int
    let reason: String
  }

  /// In the order of the lines, without repetition, including empty tables.
  let tables: [Table]
  /// In the order of the lines; no name is repeated in a table.
  let entries: [Entry]

  init(_ text: String) throws(Problem) {
    var entries: [Entry] = []
    var tables: [Table] = []
    var table = ""
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, content) in lines.enumerated() {
      var line = Line(content, number: index + 1)
      line.skipSpace()
      if line.isOver { continue }
      if line.take("[") {
        table = try line.name()
        guard line.take("]") else { throw line.problem("a table's name ends with ]") }
        guard !tables.contains(where: { $0.name == table }) else {
          throw line.problem("the table [\(table)] comes twice")
        }
        tables.append(Table(name: table, line: line.number))
      } else {
        let name = try line.name()
        line.skipSpace()
        guard line.take("=") else { throw line.problem("\(name) is followed by = and a value") }
        line.skipSpace()
        let value = try line.value()
        guard !entries.contains(where: { $0.table == table && $0.name == name }) else {
          throw line.problem("\(name) comes twice")
        }
        entries.append(Entry(table: table, name: name, value: value, line: line.number))
      }
      line.skipSpace()
      guard line.isOver else { throw line.problem("nothing but a comment may follow") }
    }
    self.tables = tables
    self.entries = entries
  }

  /// The rest of a line.
  private struct Line {
    private var rest: Substring
    let number: Int

    init(_ content: Substring, number: Int) {
      rest = content
      self.number = number
    }

    var isOver: Bool { rest.isEmpty || rest.first == "#" }

    func problem(_ reason: String) -> Problem { Problem(line: number, reason: reason) }
    mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    mutating func name() throws(Problem) -> String {
      let name = rest.prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
      }
      guard !name.isEmpty else { throw problem("a name of letters, digits and - is expected here") }
      rest = rest.dropFirst(name.count)
      return String(name)
    }

    mutating func value() throws(Problem) -> Value {
      if rest.first == "\"" { return .texts([try text()]) }
      if take("[") { return .texts(try texts()) }
      let word = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      rest = rest.dropFirst(word.count)
      switch word {
      case "true": return .flag(true)
      case "false": return .flag(false)
      default:
        let isPlain = !word.isEmpty && word.count <= 9 && word.allSatisfy(\.isNumber)
        guard isPlain, word == "0" || word.first != "0", let number = Int(word) else {
          throw problem("a value is a whole number, true, false, \"text\" or [\"text\", …]")
        }
        return .number(number)
      }
    }

    private mutating func texts() throws(Problem) -> [String] {
      var texts: [String] = []
      while true {
        skipSpace()
        if take("]") { return texts }
        guard rest.first == "\"" else { throw problem("a list holds \"text\" and ends with ]") }
        texts.append(try text())
        skipSpace()
        if !take(",") {
          guard take("]") else { throw problem("in a list a comma or ] follows each \"text\"") }
          return texts
        }
      }
    }

    private mutating func text() throws(Problem) -> String {
      _ = take("\"")
      guard let end = rest.firstIndex(of: "\""), !rest[..<end].contains("\\") else {
        throw problem("a text stands between two \" and holds no \\")
      }
      let text = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      return text
    }
  }
}
