import Protocol

/// The first row of a CSV file: the program that wrote it, and what each column holds.
struct CSVHeader: Sendable {
  let dialect: CSVDialect
  /// In the order of the file.
  let columns: [CSVColumn]

  /// Recognizes the columns in any order and case. A column that the program is not known to write
  /// goes to the comment.
  /// - Throws: `importUnreadable` if the row cannot be read, or no known program has these columns.
  init(_ row: borrowing CSVRow) throws(Failure) {
    guard !row.beginsJSON else {
      throw Failure(
        .importUnreadable, "this is JSON, and CSV is read here",
        hint:
          "export it again as CSV: in Bitwarden choose the format .csv, not .json or its encrypted form"
      )
    }
    if let problem = row.problem {
      let isUTF8 =
        switch problem {
        case .nulByte, .notUTF8: false
        default: true
        }
      throw Failure(
        .importUnreadable, "the header in line \(row.line) cannot be read: \(problem.text)",
        hint: isUTF8 ? "export the file again" : "save the file as UTF-8, or export it again")
    }
    let names = (0..<row.count).map { row.text($0) }
    let known = names.map { $0.lowercased() }
    guard Set(known).count == known.count else {
      throw Failure(
        .importUnreadable, "line \(row.line) names a column twice",
        hint: "the first line has to name the columns, as the program exported them")
    }
    guard let dialect = CSVDialect.all.first(where: { $0.required.isSubset(of: known) }) else {
      throw Failure(
        .importUnreadable, "line \(row.line) is the header of no program that is known here",
        hint: "known are those of " + CSVDialect.all.map(\.name).joined(separator: ", "))
    }
    self.dialect = dialect
    columns = zip(names, known).map { name, key in dialect.columns[key] ?? .remark(name) }
  }

  func index(of column: CSVColumn) -> Int? { columns.firstIndex(of: column) }
}

extension CSVRow {
  /// Whether JSON begins here, even if the row cannot be read.
  fileprivate var beginsJSON: Bool {
    guard count > 0 else { return false }
    let first = self[0]
    for index in first.indices where !" \t".utf8.contains(first[index]) {
      return first[index] == UInt8(ascii: "{") || first[index] == UInt8(ascii: "[")
    }
    return false
  }

  /// A field that is no secret, as text.
  func text(_ index: Int) -> String { self[index].text ?? "" }
}

/// What a column of a password manager's CSV holds.
enum CSVColumn: Equatable, Sendable {
  case title, address, account, password, notes
  /// The secret of one-time passwords, or its `otpauth:` address.
  case oneTimePassword
  /// `login` or `note`.
  case kind
  /// Lines of `name: value`.
  case customFields
  /// The realm of HTTP authentication.
  case realm
  /// Goes to the comment under this name, because no attribute fits.
  case remark(String)
  /// Not imported: counters, icons, times.
  case unkept(String)
}

/// The columns that identify one program's CSV.
struct CSVDialect: Sendable {
  /// The program's name.
  let name: String
  /// By column name in lower case.
  let columns: [String: CSVColumn]
  /// Together these columns identify the program.
  let required: Set<String>

  /// The dialects. One whose columns are a superset of another's comes first.
  static let all = [firefox, bitwarden, onePassword, keePassXC, apple, chrome]

  private static let firefox = CSVDialect(
    name: "Firefox",
    columns: [
      "url": .address, "username": .account, "password": .password, "httprealm": .realm,
      "formactionorigin": .unkept("formActionOrigin"), "guid": .unkept("guid"),
      "timecreated": .unkept("timeCreated"), "timelastused": .unkept("timeLastUsed"),
      "timepasswordchanged": .unkept("timePasswordChanged"),
    ],
    required: ["url", "username", "password", "httprealm", "formactionorigin"])

  private static let bitwarden = CSVDialect(
    name: "Bitwarden",
    columns: [
      "folder": .remark("folder"), "collections": .remark("collections"),
      "favorite": .unkept("favorite"), "type": .kind, "name": .title, "notes": .notes,
      "fields": .customFields, "reprompt": .unkept("reprompt"), "login_uri": .address,
      "login_username": .account, "login_password": .password, "login_totp": .oneTimePassword,
    ],
    required: ["type", "name", "notes", "login_uri", "login_username", "login_password"])

  private static let onePassword = CSVDialect(
    name: "1Password",
    columns: [
      "title": .title, "url": .address, "website": .address, "username": .account,
      "password": .password, "otpauth": .oneTimePassword, "favorite": .unkept("Favorite"),
      "archived": .unkept("Archived"), "tags": .remark("tags"), "notes": .notes,
    ],
    required: ["title", "username", "password", "favorite", "archived", "notes"])

  private static let keePassXC = CSVDialect(
    name: "KeePassXC",
    columns: [
      "group": .remark("group"), "title": .title, "username": .account, "password": .password,
      "url": .address, "notes": .notes, "totp": .oneTimePassword, "icon": .unkept("Icon"),
      "last modified": .unkept("Last Modified"), "created": .unkept("Created"),
    ],
    required: ["group", "title", "username", "password", "url", "notes"])

  private static let apple = CSVDialect(
    name: "Apple Passwords",
    columns: [
      "title": .title, "url": .address, "username": .account, "password": .password,
      "notes": .notes, "otpauth": .oneTimePassword,
    ],
    required: ["title", "url", "username", "password"])

  private static let chrome = CSVDialect(
    name: "Chrome or Edge",
    columns: [
      "name": .title, "url": .address, "username": .account, "password": .password,
      "note": .notes,
    ],
    required: ["name", "url", "username", "password"])
}
