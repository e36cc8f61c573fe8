/// What a column of a password manager's CSV holds.
package enum CSVColumn: Equatable, Sendable {
  case title, address, account, password, notes
  /// The secret of one-time passwords, or its `otpauth:` address.
  case oneTimePassword
  /// `login` or `note`.
  case kind
  /// Lines of `name: value`.
  case customFields
  /// What HTTP authentication calls what the password is for.
  case realm
  /// Something an item has no attribute for; it goes to the comment under this name.
  case remark(String)
  /// Something that makes no sense elsewhere: counters, icons, times.
  case unkept(String)
}

/// The columns of one program's CSV, by which it is recognized.
package struct CSVDialect: Sendable {
  /// As people call the program.
  package let name: String
  /// Column names in lower case, and what they hold.
  let columns: [String: CSVColumn]
  /// Those that only this program's files have together.
  let required: Set<String>

  /// The dialects, those first that others would be taken for.
  package static let all = [firefox, bitwarden, onePassword, keePassXC, apple, chrome]

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
