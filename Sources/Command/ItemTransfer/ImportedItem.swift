package import Protocol

/// An item of another program, ready to be added.
package final class ImportedItem: Sendable {
  /// Identifier and times are empty.
  package let attributes: ItemAttributes
  package let secret: SecretBytes
  /// Where it was found, for people: "line 12", "web/example.org".
  package let origin: String

  package init(attributes: ItemAttributes, secret: consuming SecretBytes, origin: String) {
    self.attributes = attributes
    self.secret = secret
    self.origin = origin
  }
}

/// Where the other program keeps an entry.
package enum EntryState: Sendable {
  case active, archived
  /// In a recycle bin.
  case deleted
}

/// The items of one entry: a login, the note beside it, and what makes its one-time passwords. They
/// get a number together if another entry has their names.
package struct ImportedEntry: Sendable {
  /// The first one is the entry; the others stand beside it.
  package let items: [ImportedItem]
  package let state: EntryState

  package init(_ items: [ImportedItem], _ state: EntryState = .active) {
    (self.items, self.state) = (items, state)
  }
}

/// Something that cannot become an item.
package struct SkippedEntry: Equatable, Sendable {
  /// Where it was found, for people.
  package let origin: String
  /// A sentence without a full stop and without secrets.
  package let reason: String

  package init(origin: String, reason: String) {
    (self.origin, self.reason) = (origin, reason)
  }
}

/// Receives what a source finds, one entry at a time, so that only one secret is in memory.
package protocol ImportReceiver: AnyObject {
  func take(_ entry: ImportedEntry) throws(Failure)
  func skip(_ entry: SkippedEntry)
}

extension ImportReceiver {
  /// Takes an entry. An item with an attribute or a secret that is too long is skipped.
  func takeWhatFits(_ entry: ImportedEntry) throws(Failure) {
    let fitting = entry.items.filter { item in
      guard let reason = item.excess else { return true }
      skip(SkippedEntry(origin: item.origin, reason: reason))
      return false
    }
    if !fitting.isEmpty { try take(ImportedEntry(fitting, entry.state)) }
  }
}

extension ImportedItem {
  /// What is too long; nil if it fits.
  fileprivate var excess: String? {
    for name in attributes.values.names {
      switch attributes.values[name] {
      case .text(let text) where text.utf8.count > AttributeValue.longestText:
        return "its \(name.name) is longer than \(AttributeValue.longestText) bytes"
      case .data(let data) where data.count > AttributeValue.longestData:
        return "its \(name.name) is longer than \(AttributeValue.longestData) bytes"
      default: break
      }
    }
    guard secret.count > largestItemSecret else { return nil }
    return "its secret is longer than \(largestItemSecret) bytes"
  }
}

/// Text that is assembled in locked memory.
struct SecretText: ~Copyable {
  private var bytes: SecretBytes
  private(set) var count = 0
  /// Whether something did not fit.
  private(set) var isCut = false

  /// - Parameter limit: the most bytes.
  init(limit: Int) { bytes = SecretBytes(count: limit) }

  mutating func append(_ part: Span<UInt8>) {
    guard part.count <= bytes.count - count else {
      isCut = true
      return
    }
    bytes.copy(part, at: count)
    count += part.count
  }

  mutating func append(_ text: String) { append(Array(text.utf8).span) }

  consuming func finish() -> SecretBytes {
    let count = count
    return bytes.extracting(0..<count)
  }
}

extension SecretBytes {
  /// As text, for what becomes an attribute; nil if it is not UTF-8.
  var text: String? { bytes.text }
}

extension Span<UInt8> {
  /// Whether it begins with this text of ASCII.
  func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    // The text lives as long as the program, and has as many bytes as it says.
    return (0..<text.utf8CodeUnitCount).allSatisfy { unsafe self[$0] == text.utf8Start[$0] }
  }

  /// As text, for what is no secret; nil if it is not UTF-8.
  var text: String? {
    do {
      return String(copying: try UTF8Span(validating: self))
    } catch {
      return nil
    }
  }

  /// Whether it is UTF-8 without NUL.
  var isText: Bool {
    for index in indices where self[index] == 0 { return false }
    do {
      _ = try UTF8Span(validating: self)
      return true
    } catch {
      return false
    }
  }
}
