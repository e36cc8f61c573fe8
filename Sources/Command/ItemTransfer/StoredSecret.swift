import CoreClient
import DBus
package import Protocol

/// Imports everything from the session's Secret Service.
package struct SecretServiceImport {
  private let client: SecretServiceClient

  /// - Parameter address: the address of the bus; nil for the session's.
  /// - Throws: `errSecNotAvailable` if no such service runs.
  package init(at address: String? = nil) throws(Failure) {
    client = try SecretServiceClient(at: address)
  }

  /// Reads all collections. The service asks the person to unlock a locked one, or it is left out.
  /// - Throws: `errSecNotAvailable` if the service does not answer, and what the receiver throws.
  package func readItems(to receiver: any ImportReceiver) throws(Failure) {
    let collections: [SecretServiceClient.Collection]
    do throws(BusError) {
      collections = try client.collections()
    } catch {
      throw SecretServiceClient.failure(error)
    }
    for collection in collections where unlock(collection, receiver) {
      for path in collection.items { try read(path, in: collection, receiver) }
    }
  }

  /// - Returns: whether its items can be read.
  private func unlock(
    _ collection: SecretServiceClient.Collection, _ receiver: any ImportReceiver
  ) -> Bool {
    guard collection.isLocked else { return true }
    let reason: String
    do throws(BusError) {
      if try client.unlock([collection.path]) { return true }
      reason = "it is locked, and was not unlocked"
    } catch {
      reason = "it is locked, and cannot be unlocked: \(error.reason)"
    }
    receiver.skip(SkippedEntry(origin: Self.name(of: collection), reason: reason))
    return false
  }

  private static func name(of collection: SecretServiceClient.Collection) -> String {
    collection.label.isEmpty ? collection.path : collection.label
  }

  private func read(
    _ path: String, in collection: SecretServiceClient.Collection, _ receiver: any ImportReceiver
  ) throws(Failure) {
    var origin = "\(Self.name(of: collection)): \(path)"
    let item: StoredSecret
    do throws(BusError) {
      let description = try client.describe(item: path)
      origin = "\(Self.name(of: collection)): \(description.label)"
      item = StoredSecret(
        label: description.label, attributes: description.attributes,
        secret: try client.secret(ofItem: path), origin: origin)
    } catch {
      return receiver.skip(SkippedEntry(origin: origin, reason: error.reason))
    }
    try item.give(to: receiver)
  }
}

/// An item of a Secret Service: a secret with attributes that each program names as it likes.
///
/// Attributes with known names become the item's. A generic item keeps all of them as a JSON object
/// in `generic`, so that the program can find its own. An internet item keeps the rest in its
/// comment.
package struct StoredSecret: ~Copyable {
  private let label: String
  private let attributes: [String: String]
  private let secret: SecretBytes
  private let origin: String

  package init(
    label: String, attributes: [String: String], secret: consuming SecretBytes, origin: String
  ) {
    self.label = label
    self.attributes = attributes
    self.secret = secret
    self.origin = origin
  }

  private static let schemaName = "xdg:schema"
  private static let noteSchema = "org.gnome.keyring.Note"
  /// Names of attributes for the service and the account, best first.
  private static let serviceNames = ["service", "application", "app", "target"]
  private static let accountNames = ["username", "user", "account", "login", "email"]
  private static let hostNames = ["server", "host", "hostname", "domain"]

  /// Gives the item that it makes to `receiver`.
  package consuming func give(to receiver: any ImportReceiver) throws(Failure) {
    var made = ItemAttributes()
    made.label = label
    made.account = first(of: Self.accountNames)?.value ?? ""
    if attributes[Self.schemaName] == Self.noteSchema {
      made.itemClass = .note
      made.service = first(of: Self.serviceNames)?.value ?? ""
    } else if let host = attributes["server"], Self.isHost(host) {
      fillInternet(&made, host: host)
    } else {
      made.service = service
      if made.account.isEmpty { made.account = remainder }
      if !attributes.isEmpty {
        made.values[.generic] = .data(Array(JSONText.object(attributes).utf8))
      }
    }
    made.values[text: .comment] = comment(made)
    let origin = origin
    try receiver.takeWhatFits(
      ImportedEntry([ImportedItem(attributes: made, secret: secret, origin: origin)]))
  }

  private static func isHost(_ text: String) -> Bool {
    guard let address = WebAddress("https://\(text)") else { return false }
    return address.host == text.lowercased()
  }

  /// The first of these attributes that is not empty.
  private func first(of names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = attributes[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }

  private var service: String {
    if let service = first(of: Self.serviceNames + Self.hostNames)?.value { return service }
    if let schema = attributes[Self.schemaName], !schema.isEmpty { return schema }
    return label
  }

  /// Distinguishes items of one program without an account: a line of all other attributes.
  private var remainder: String {
    attributes.filter { name, value in name != Self.schemaName && value != service }
      .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Uses the names of `org.gnome.keyring.NetworkPassword` and of Git's helper.
  private func fillInternet(_ made: inout ItemAttributes, host: String) {
    made.itemClass = .internet
    made.server = host.lowercased()
    if let scheme = attributes["protocol"].flatMap({ InternetProtocol(name: $0) }) {
      made.values[.protocol] = .text(scheme.code)
    }
    if let port = attributes["port"].flatMap({ UInt16($0) }), port > 0 {
      made.values[.port] = .number(Int64(port))
    }
    if let domain = attributes["domain"], !domain.isEmpty {
      made.values[.securityDomain] = .text(domain)
    }
    if let object = attributes["object"], !object.isEmpty {
      made.values[.path] = .text(object.hasPrefix("/") ? object : "/" + object)
    }
  }

  /// The attributes that have no other place.
  private func comment(_ made: ItemAttributes) -> String {
    var said: Set = [Self.schemaName]
    switch made.itemClass {
    case .internet:
      said.formUnion(["server", "domain", "object"])
      if made.values[.protocol] != nil { said.insert("protocol") }
      if made.values[.port] != nil || attributes["port"] == "0" { said.insert("port") }
    case .note:
      if let name = first(of: Self.serviceNames)?.name { said.insert(name) }
    default: return ""
    }
    if let name = first(of: Self.accountNames)?.name { said.insert(name) }
    return attributes.filter { name, value in !said.contains(name) && !value.isEmpty }
      .sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }
}

/// A JSON object of texts (RFC 8259), sorted by name.
private enum JSONText {
  static func object(_ members: [String: String]) -> String {
    "{"
      + members.sorted { $0.key < $1.key }.map { quoted($0.key) + ":" + quoted($0.value) }
      .joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1F}":
        quoted += "\\u00" + Hexadecimal.text([UInt8(scalar.value)])
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
