/// What a column or a member of another program's file holds.
enum EntryField: Equatable, Sendable {
  case title, address, account, email, password, notes
  /// Makes one-time passwords: an `otpauth:` text or a key.
  case code
  /// `login`, `note` and so on.
  case kind
  /// Lines of `name: value`.
  case customFields
  /// The realm of HTTP authentication.
  case realm
  /// Says that an entry is archived, unless it is `false`.
  case archived
  /// What lists may show: a folder, tags.
  case shown(String)
  /// What may be a secret. It goes to a note.
  case hidden(String)
  /// Something that no item can hold, such as an attachment or a passkey. The value names it.
  case leftOut(String)
  /// Not imported: counters, icons, times.
  case unkept(String)

  /// The field of a column by its name, for any program; hidden if nobody uses this name.
  init(column name: String) {
    switch name.lowercased() {
    case "title", "name", "account": self = .title
    case "url", "urls", "uri", "website", "web site", "login_uri", "additional_urls":
      self = .address
    case "username", "username2", "username3", "user name", "login name", "login_username":
      self = .account
    case "email": self = .email
    case "password", "login_password": self = .password
    case "note", "notes", "extra", "comments": self = .notes
    case "totp", "otp", "otpauth", "otpurl", "otpsecret", "login_totp", "one-time password":
      self = .code
    case "type": self = .kind
    case "fields": self = .customFields
    case "httprealm": self = .realm
    case "archived", "archiveddate": self = .archived
    case "folder", "collections", "grouping", "group", "vault", "category", "tags":
      self = .shown(name.lowercased())
    case "favorite", "fav", "reprompt", "icon", "created", "last modified", "createtime",
      "modifytime", "formactionorigin", "guid", "timecreated", "timelastused",
      "timepasswordchanged":
      self = .unkept(name)
    default: self = .hidden(name)
    }
  }

  /// The fields that `--map` gives a column, by name.
  package static let named: KeyValuePairs<String, EntryField> = [
    "title": .title, "url": .address, "username": .account, "email": .email,
    "password": .password, "notes": .notes, "otp": .code, "folder": .shown("folder"),
  ]
}
