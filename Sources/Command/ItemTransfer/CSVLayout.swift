import CoreClient
package import Protocol

/// The columns that one program writes. What they hold is mostly said by their names
/// (``EntryField/init(column:)``).
struct CSVLayout: Sendable {
  /// The program's name.
  let name: String
  /// Together these columns identify the program, in lower case.
  let required: Set<String>
  /// All columns, if others mean another program.
  var all: Set<String>?
  /// Columns that hold something else than their names say.
  var columns: [String: EntryField] = [:]
  /// Whether every row is something else than a login.
  var holdsNotes = false
  /// Whether texts are written as in a web page: `&amp;` for `&`.
  var hasEntities = false
  /// Corrects an entry that is complete.
  var correct: @Sendable (inout FoundEntry) -> Void = { _ in }

  func fits(_ names: Set<String>) -> Bool {
    required.isSubset(of: names) && all.map { names.isSubset(of: $0) } ?? true
  }

  func field(of column: String) -> EntryField {
    columns[column.lowercased()] ?? EntryField(column: column)
  }

  /// A layout whose columns are a superset of another's comes first.
  static let known: [CSVLayout] = [
    CSVLayout(
      name: "Firefox", required: ["url", "username", "password", "httprealm", "formactionorigin"]),
    CSVLayout(
      name: "Bitwarden",
      required: ["type", "name", "notes", "login_uri", "login_username", "login_password"]),
    CSVLayout(
      name: "LastPass", required: ["url", "username", "password", "extra", "name", "grouping"],
      hasEntities: true
    ) { entry in
      // The addresses of notes, of folders, and of logins without one.
      switch entry.addresses {
      case ["http://sn"]: entry.isNote = true
      case ["http://group"]: entry.isNothing = true
      case ["http://"]: break
      default: return
      }
      entry.addresses = []
    },
    CSVLayout(
      name: "Proton Pass",
      required: ["type", "name", "url", "username", "password", "note", "totp"]
    ),
    CSVLayout(
      name: "NordPass",
      required: ["name", "url", "username", "password", "note", "cardholdername", "cardnumber"]),
    CSVLayout(
      name: "Dashlane", required: ["username", "username2", "title", "password", "url"]),
    CSVLayout(
      name: "Dashlane, payments",
      required: ["type", "account_name", "account_holder", "cc_number"],
      columns: ["account_name": .title, "type": .hidden("type")],
      holdsNotes: true),
    CSVLayout(
      name: "Dashlane, documents", required: ["type", "number", "name", "place_of_issue"],
      columns: ["type": .title, "name": .hidden("name")], holdsNotes: true),
    CSVLayout(
      name: "Dashlane, personal data", required: ["type", "title", "first_name", "last_name"],
      columns: [
        "item_name": .title, "type": .hidden("type"), "title": .hidden("title"),
        "email": .hidden("email"), "url": .hidden("url"),
      ], holdsNotes: true),
    CSVLayout(
      name: "Dashlane, networks", required: ["ssid", "passphrase"],
      columns: ["ssid": .title, "passphrase": .password, "name": .hidden("name")]),
    CSVLayout(
      name: "Dashlane, notes", required: ["title", "note"], all: ["title", "note", "category"],
      holdsNotes: true),
    CSVLayout(
      name: "1Password",
      required: ["title", "username", "password", "favorite", "archived", "notes"]),
    CSVLayout(
      name: "KeePassXC", required: ["group", "title", "username", "password", "url", "notes"]),
    CSVLayout(
      name: "KeePass 1", required: ["account", "login name", "password", "web site", "comments"]),
    CSVLayout(name: "Apple Passwords", required: ["title", "url", "username", "password"]),
    CSVLayout(name: "Chrome or Edge", required: ["name", "url", "username", "password"]),
  ]

  /// Dashlane's older file has no header, but an address in the second field of a login. Between
  /// that and the last two fields, password and notes, are user names.
  static let withoutHeader = CSVLayout(name: "Dashlane (no header)", required: [])

  /// The fields of a row without a header; nil if it is no login.
  static func fieldsWithoutHeader(_ row: borrowing CSVRow) -> [EntryField]? {
    guard 5...7 ~= row.count, WebAddress(row.text(1)) != nil else { return nil }
    let accounts = Array(repeating: EntryField.account, count: row.count - 4)
    return [.title, .address] + accounts + [.password, .notes]
  }
}

/// The first row of a CSV file: the program that wrote it, and what each column holds.
struct CSVHeader: Sendable {
  let layout: CSVLayout
  /// In the order of the file; nil without a header.
  let columns: [EntryField]?
  /// Columns for more of what another column holds. They are taken last.
  private(set) var spare: [Int] = []
  /// Whether the row is an entry already.
  var isEntry: Bool { columns == nil }

  /// Recognizes the columns in any order and case, or takes those that the person names.
  /// - Throws: `importUnreadable` if the row cannot be read, or no known program has these columns;
  ///   `usage` if a named column is not there.
  init(_ row: borrowing CSVRow, _ map: ColumnMap?) throws(Failure) {
    try Self.check(row)
    let names = (0..<row.count).map { row.text($0) }
    let known = Set(names.map { $0.lowercased() })
    if map == nil, CSVLayout.fieldsWithoutHeader(row) != nil {
      (layout, columns) = (.withoutHeader, nil)
      return
    }
    guard known.count == names.count else {
      throw Failure(
        .importUnreadable, "line \(row.line) names a column twice",
        hint: "the first line has to name the columns, as the program exported them")
    }
    if let map {
      layout = CSVLayout(name: "the mapped file", required: [])
      columns = try map.fields(of: names)
      return
    }
    guard let layout = CSVLayout.known.first(where: { $0.fits(known) }) else {
      throw Failure(
        .importUnreadable, "line \(row.line) is the header of no program that is known here",
        hint: """
          columns are needed for title (or url), username and password, with commas between them. \
          Say which they are: --map \
          title=COLUMN,url=COLUMN,username=COLUMN,password=COLUMN (also email, notes, otp, folder)
          """)
    }
    self.layout = layout
    columns = names.map { layout.field(of: $0) }
    let spareNames = ["username2", "username3", "additional_urls"]
    spare = names.indices.filter { spareNames.contains(names[$0].lowercased()) }
  }

  private static func check(_ row: borrowing CSVRow) throws(Failure) {
    guard let problem = row.problem else { return }
    let isUTF8 =
      switch problem {
      case .nulByte, .notUTF8: false
      default: true
      }
    throw Failure(
      .importUnreadable, "the header in line \(row.line) cannot be read: \(problem.text)",
      hint: isUTF8
        ? "export the file again" : "save the file as UTF-8, or export it again without encryption")
  }
}

/// What the person says that columns hold. All others are hidden.
package struct ColumnMap: Sendable {
  private let fields: [(column: String, field: EntryField)]

  /// Reads `title=COLUMN,username=COLUMN`.
  /// - Throws: `usage` for another form.
  package init(_ text: String) throws(Failure) {
    var fields: [(column: String, field: EntryField)] = []
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, let field = EntryField.named.first(where: { $0.key == sides[0] })
      else {
        let names = EntryField.named.map(\.key).joined(separator: ", ")
        throw Failure(
          .usage, "--map cannot be read",
          hint: "Write --map title=COLUMN,password=COLUMN. The fields are \(names).")
      }
      fields.append((sides[1], field.value))
    }
    let given = fields.map(\.field)
    guard given.contains(.title) || given.contains(.address),
      given.contains(.password) || given.contains(.notes) || given.contains(.code)
    else {
      throw Failure(
        .usage, "--map names too few columns",
        hint: "It needs title or url, and password, notes or otp.")
    }
    self.fields = fields
  }

  func fields(of names: [String]) throws(Failure) -> [EntryField] {
    for (column, _) in fields where !names.contains(where: { $0.isSame(as: column) }) {
      throw Failure(
        .usage, "the file has no column \(column)",
        hint: "the first line of the file names the columns; write them as they stand there")
    }
    return names.map { name in
      fields.first { name.isSame(as: $0.column) }?.field ?? .hidden(name)
    }
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { lowercased() == other.lowercased() }
}

extension CSVRow {
  /// A field that is no secret, as text.
  func text(_ index: Int) -> String { self[index].text ?? "" }
}
