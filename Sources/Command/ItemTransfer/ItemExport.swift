import CoreClient
package import Protocol

/// Writes items as rows of a CSV that ``CSVImport`` reads back unchanged. The columns are
/// Bitwarden's, which KeePassXC reads too.
package enum ItemExport {
  private static let columns = [
    "folder", "favorite", "type", "name", "notes", "fields", "reprompt", "login_uri",
    "login_username", "login_password", "login_totp",
  ]

  package static let header = columns.joined(separator: ",") + "\r\n"

  package static let classes: Set<ItemClass> = [.generic, .internet, .note, .key]

  package static func row(_ attributes: ItemAttributes, _ secret: Span<UInt8>) -> SecretBytes {
    let hasText = secret.isText
    let name =
      [attributes.label, attributes.service, attributes.server, attributes.account]
      .first { !$0.isEmpty && isText($0) } ?? "item"
    let isNote = attributes.itemClass == .note
    let comment = isNote ? "" : text(attributes.values[.comment])
    let address = attributes.itemClass == .internet ? WebAddress(of: attributes) : nil
    let account = isNote ? "" : text(attributes.values[.account])
    var said: [AttributeName: AttributeValue] = [
      .label: .text(name), .account: .text(account), .comment: .text(comment),
    ]
    if address != nil {
      for part in [AttributeName.server, .protocol, .port, .path] {
        said[part] = attributes.values[part]
      }
    }
    let isPlain =
      hasText
      && isImpliedByColumns(
        attributes, hasSecret: secret.count > 0, name, address, comment: comment)
    let fields =
      isPlain
      ? []
      : ExactAttributes.lines(
        attributes.itemClass, unsaid(attributes, said), hasHexadecimalSecret: !hasText)
    var row = CSVRowWriter(room: 4 * secret.count + (64 << 10))
    row.append("")
    row.append("")
    row.append(isNote ? "note" : "login")
    row.append(name)
    if isNote { row.append(secret, isText: hasText) } else { row.append(comment) }
    row.append(fields.joined(separator: "\n"))
    row.append("")
    row.append(address?.text ?? "")
    row.append(account)
    if isNote { row.append("") } else { row.append(secret, isText: hasText) }
    row.append("")
    return row.finish()
  }

  /// The attributes that no column has.
  private static func unsaid(
    _ attributes: ItemAttributes, _ said: [AttributeName: AttributeValue]
  ) -> [(name: AttributeName, value: AttributeValue)] {
    AttributeName.allCases.filter(\.isForPeople).compactMap { name in
      let (value, column) = (attributes.values[name], said[name])
      if value == column || (value == nil && column == .text("")) { return nil }
      // The column has a value, and the item has none.
      return (name, value ?? .text(""))
    }
  }

  /// Whether importing these columns alone would give this item.
  private static func isImpliedByColumns(
    _ attributes: ItemAttributes, hasSecret: Bool, _ name: String, _ address: WebAddress?,
    comment: String
  ) -> Bool {
    var entry = FoundEntry(origin: "")
    entry.isNote = attributes.itemClass == .note
    entry.title = name
    if !entry.isNote, !attributes.account.isEmpty { entry.accounts = [attributes.account] }
    entry.addresses = address.map { [$0.text] } ?? []
    let stand = Array((hasSecret ? "x" : "").utf8)
    let comment = Array(comment.utf8)
    entry.notes = SecretBytes(copying: (entry.isNote ? stand : comment).span)
    if !entry.isNote { entry.password = SecretBytes(copying: stand.span) }
    let made = MadeItems()
    do throws(Failure) {
      try entry.give(to: made)
    } catch {
      return false
    }
    return made.items.count == 1 && made.items[0].itemClass == attributes.itemClass
      && AttributeName.allCases.filter(\.isForPeople)
        .allSatisfy { made.items[0].values[$0] == attributes.values[$0] }
  }

  private static func text(_ value: AttributeValue?) -> String {
    guard case .text(let text)? = value, isText(text) else { return "" }
    return text
  }

  private static func isText(_ text: String) -> Bool { !text.utf8.contains(0) }
}

/// Collects what a login would become.
private final class MadeItems: ImportReceiver {
  private(set) var items: [ItemAttributes] = []

  func take(_ entry: ImportedEntry) throws(Failure) { items += entry.items.map(\.attributes) }
  func skip(_ entry: SkippedEntry) {}
}

/// A row of CSV in locked memory.
private struct CSVRowWriter: ~Copyable {
  private var text: SecretText
  private var isFirst = true

  /// - Parameter room: more bytes than the row can have.
  init(room: Int) { text = SecretText(limit: room) }

  mutating func append(_ field: String) { append(Array(field.utf8).span, isText: true) }

  /// Appends a field, in hexadecimal digits unless it is text.
  mutating func append(_ field: Span<UInt8>, isText: Bool) {
    if !isFirst { text.append(",") }
    isFirst = false
    guard field.count > 0 else { return }
    text.append("\"")
    for index in field.indices {
      if isText {
        if field[index] == UInt8(ascii: "\"") { text.append("\"") }
        text.append(field.extracting(index..<index + 1))
      } else {
        text.append(Hexadecimal.digits(field[index]).span)
      }
    }
    text.append("\"")
  }

  consuming func finish() -> SecretBytes {
    text.append("\r\n")
    return text.finish()
  }
}
