import CoreClient
package import Protocol

/// Reads a CSV file in parts, and gives its items to a receiver.
package struct CSVImport: ~Copyable {
  private var parser = CSVParser()
  private let rows: CSVRows

  package init(to receiver: any ImportReceiver) { rows = CSVRows(receiver) }

  /// The program that wrote the file; nil before the first row.
  package var program: String? { rows.header?.dialect.name }
  /// Columns with values that are not imported, in the order of the file.
  package var unkeptColumns: [String] { rows.unkept }

  /// Reads the next part.
  /// - Throws: `importUnreadable` for an unknown header, and what the receiver throws.
  package mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
    let rows = rows
    try parser.read(bytes) { (row) throws(Failure) in try rows.take(row) }
  }

  /// Reads what is left.
  /// - Throws: `importUnreadable` for an empty file or an open quotation mark. The rows before were
  ///   given to the receiver.
  package mutating func finish() throws(Failure) {
    let rows = rows
    let openQuote = try parser.finish { (row) throws(Failure) in try rows.take(row) }
    if let line = openQuote {
      throw Failure(
        .importUnreadable,
        "the quotation mark in line \(line) is never closed: what follows cannot be told apart",
        hint: "export the file again, or mend that line")
    }
    guard rows.header != nil else {
      throw Failure(
        .importUnreadable, "there is no line in it",
        hint: "the first line has to name the columns, as the program exported them")
    }
  }
}

/// The rows of a file as they come.
private final class CSVRows {
  private let receiver: any ImportReceiver
  private(set) var header: CSVHeader?
  private(set) var unkept: [String] = []

  init(_ receiver: any ImportReceiver) { self.receiver = receiver }

  func take(_ row: borrowing CSVRow) throws(Failure) {
    guard let header else {
      header = try CSVHeader(row)
      return
    }
    let origin = "line \(row.line)"
    guard let problem = problem(of: row, header) else {
      return try login(row, header, origin: origin).give(to: receiver)
    }
    receiver.skip(SkippedEntry(origin: origin, reason: problem))
  }

  private func problem(of row: borrowing CSVRow, _ header: CSVHeader) -> String? {
    if let problem = row.problem { return problem.text }
    guard row.count == header.columns.count else {
      return CSVProblem.fieldCount(row.count, expected: header.columns.count).text
    }
    if let index = header.index(of: .kind), !["", "login", "note"].contains(row.text(index)) {
      return "it is neither a login nor a note, but: \(row.text(index).withoutSteering)"
    }
    return nil
  }

  private func login(_ row: borrowing CSVRow, _ header: CSVHeader, origin: String) -> FoundLogin {
    var login = FoundLogin(origin: origin)
    for (index, column) in header.columns.enumerated() where row[index].count > 0 {
      switch column {
      case .title: login.title = row.text(index)
      case .address: login.addresses = Self.addresses(row.text(index))
      case .account: login.account = row.text(index)
      case .password: login.password = SecretBytes(copying: row[index])
      case .notes: login.notes = SecretBytes(copying: row[index])
      case .oneTimePassword: login.oneTimePassword = SecretBytes(copying: row[index])
      case .kind: login.isNote = row.text(index) == "note"
      case .customFields: readFields(row.text(index), into: &login)
      case .realm: login.realm = row.text(index)
      case .remark(let name): login.remarks.append((name, row.text(index)))
      case .unkept(let name): noteUnkept(name, row.text(index))
      }
    }
    if login.exact?.hasHexadecimalSecret == true { login.decodeSecret() }
    return login
  }

  /// A field may hold several addresses with commas between them.
  private static func addresses(_ text: String) -> [String] {
    let parts = text.split(separator: ",").map { String($0) }
    return parts.allSatisfy { WebAddress($0) != nil } ? parts : [text]
  }

  /// Reads lines of `name: value`. A line of another form continues the value before it.
  private func readFields(_ text: String, into login: inout FoundLogin) {
    var exact = ExactAttributes()
    var hasExact = false
    for line in text.split(whereSeparator: \.isNewline) {
      let (name, value) = Self.field(line)
      if exact.read(name: name, value: value) {
        hasExact = true
      } else {
        login.remarks.append((name, value))
      }
    }
    if hasExact { login.exact = exact }
  }

  /// Splits at the first colon. Bytes are compared, because an accent may follow the colon.
  private static func field(_ line: Substring) -> (name: String, value: String) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return ("", String(line)) }
    let value = line.utf8[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
    return (String(line[..<colon]), String(Substring(value)))
  }

  /// Most rows have zero or false there.
  private func noteUnkept(_ name: String, _ value: String) {
    guard !["0", "false"].contains(value.lowercased()), !unkept.contains(name) else { return }
    unkept.append(name)
  }
}
