import CoreClient
import Protocol

/// An entry of another program, in the words of none: a login, a note, a card or whatever else.
///
/// What a list must not show is in ``notes`` and ``details``.
struct FoundEntry: ~Copyable {
  /// Where it was found, for people.
  var origin: String
  /// Whether it is something else than a login.
  var isNote = false
  /// Whether it stands for nothing, such as a folder.
  var isNothing = false
  var state = EntryState.active
  var title = ""
  /// User names, the best one first.
  var accounts: [String] = []
  var emails: [String] = []
  /// Unchanged. The login is used at the first.
  var addresses: [String] = []
  /// The realm of HTTP authentication.
  var realm = ""
  /// Values that lists may show.
  var remarks: [(name: String, value: String)] = []
  var password = SecretBytes(count: 0)
  var notes = SecretBytes(count: 0)
  /// Makers of one-time passwords.
  var codes: [HeldSecret] = []
  /// Lines of `name: value`, each with a line feed before it.
  private(set) var details = WireEncoder(capacity: 0)
  /// What is not imported, in words.
  private(set) var leftOut: [String] = []
  /// Attributes that are stated exactly, and replace the guesses.
  var exact: ExactAttributes?

  init(origin: String) { self.origin = origin }

  /// Adds a line to what no list shows.
  mutating func addDetail(_ name: String, _ value: Span<UInt8>) {
    guard value.count > 0 else { return }
    details.writeRaw(Array(("\n" + (name.isEmpty ? "" : "\(name): ")).utf8).span)
    details.writeRaw(value)
  }

  mutating func addDetail(_ name: String, _ value: String) {
    addDetail(name, Array(value.utf8).span)
  }

  consuming func takingDetails() -> SecretBytes { details.finish() }

  /// Takes a value. It is UTF-8 and not empty. A field that is there once keeps its first value,
  /// and the next goes to the details.
  mutating func take(_ field: EntryField, _ value: Span<UInt8>) {
    switch field {
    case .title where title.isEmpty: title = value.text ?? ""
    case .title: addDetail("title", value)
    case .address: addresses += Self.addresses(value.text ?? "")
    case .account: accounts.append(value.text ?? "")
    case .email: emails.append(value.text ?? "")
    case .realm where realm.isEmpty: realm = value.text ?? ""
    case .realm: addDetail("realm", value)
    case .code: codes.append(HeldSecret(copying: value))
    case .password where password.count == 0: password = SecretBytes(copying: value)
    case .password: addDetail("password", value)
    case .notes where notes.count == 0: notes = SecretBytes(copying: value)
    case .notes: addDetail("", value)
    case .kind: takeKind(value.text ?? "")
    case .customFields: takeCustomFields(value)
    case .archived where ["false", "0"].contains(value.text?.lowercased()): break
    case .archived: state = .archived
    case .shown(let name): remarks.append((name, value.text ?? ""))
    case .hidden(let name): addDetail(name, value)
    case .leftOut(let kind): leaveOut(kind, named: value.text ?? "")
    case .unkept: break
    }
  }

  /// Notes something that no item can hold.
  mutating func leaveOut(_ kind: String, named name: String) {
    leftOut.append(name.isEmpty ? kind : "\(kind) \(name)")
  }

  private mutating func takeKind(_ kind: String) {
    switch kind.lowercased() {
    case "login", "password": break
    case "note", "securenote", "secure note": isNote = true
    case "folder": isNothing = true
    default:
      isNote = true
      remarks.append(("type", kind))
    }
  }

  /// A field may hold several addresses with commas or in an array of JSON.
  private static func addresses(_ text: String) -> [String] {
    let bare =
      text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    let parts = bare.split { $0 == "," || $0.isNewline }.map {
      String($0.drop { " \"".contains($0) }.reversed().drop { " \"".contains($0) }.reversed())
    }
    return parts.allSatisfy { WebAddress($0) != nil } ? parts : [text]
  }

  /// Reads lines of `name: value`. A line of another form continues the value before it.
  private mutating func takeCustomFields(_ text: Span<UInt8>) {
    var exact = ExactAttributes()
    var hasExact = false
    var start = 0
    while start < text.count {
      let end = (start..<text.count).first { text[$0] == 0x0A || text[$0] == 0x0D } ?? text.count
      let line = text.extracting(start..<end)
      start = end + 1
      if exact.read(line: line) { hasExact = true } else { addDetail("", line) }
    }
    if hasExact { self.exact = exact }
  }

  /// Decodes hexadecimal digits. Other text stays.
  mutating func decodeSecret() {
    if isNote {
      if let secret = Hexadecimal.secret(notes.bytes) { notes = secret }
    } else if let secret = Hexadecimal.secret(password.bytes) {
      password = secret
    }
  }
}

/// A secret that several owners hold.
final class HeldSecret: Sendable {
  let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  func isEqual(to other: HeldSecret) -> Bool {
    let copy = other.bytes.shared()
    return bytes.isEqual(to: copy.bytes)
  }

  convenience init(copying bytes: Span<UInt8>) { self.init(SecretBytes(copying: bytes)) }
}
