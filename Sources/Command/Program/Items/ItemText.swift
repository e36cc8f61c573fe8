import CoreClient
import Cryptography
import Protocol

/// Items, for people.
enum ItemText {
  /// How an item is called in a sentence.
  static func name(_ item: ItemAttributes) -> String {
    name(AttributeName.ofNames.map { item.values[text: $0] })
  }

  /// How what a query means is called in a sentence.
  static func name(_ query: ItemQuery) -> String {
    name(AttributeName.ofNames.map { query.terms[text: $0] ?? "" })
  }

  private static func name(_ parts: [String]) -> String {
    let parts = parts.filter { !$0.isEmpty }
    return parts.isEmpty ? "an item" : parts.joined(separator: " / ").printable
  }

  /// How several are called in a sentence, the first of many.
  static func names(_ items: [ItemAttributes]) -> String {
    let longestList = 8
    let names = items.prefix(longestList).map { name($0) }
    let unlisted = items.count - names.count
    return (names + (unlisted > 0 ? ["\(unlisted) more"] : [])).joined(separator: ", ")
  }

  /// `1 item`, `7 items`.
  static func count(_ count: some BinaryInteger, _ noun: String = "item") -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// What an access control asks for; of what is lost, that nothing helps.
  static func opening(_ control: AccessControl, isLost: Bool = false) -> String {
    isLost
      ? "nothing: the fingers changed"
      : control.text + (control.requiresStrictMatch ? " (strict)" : "")
  }

  /// When it can be reached. That an item with an access control stays on its device goes without
  /// saying.
  static func reach(_ item: ItemAttributes) -> String {
    let name = item.accessibility.name
    let remark = "-this-device-only"
    guard item.accessControl != nil, name.hasSuffix(remark) else { return name }
    return String(name.dropLast(remark.count))
  }

  /// What `--access` or `--set-access` says.
  static func accessControl(_ text: String, isStrict: Bool) throws(Failure) -> AccessControl {
    do throws(AccessControl.Problem) {
      return try AccessControl(parsing: text, with: isStrict ? .strictMatch : [])
    } catch {
      throw failure(error)
    }
  }

  /// An application password was given for nothing that asks for one.
  static var unusedAppPassword: Failure {
    Failure(
      .usage, "An application password is given, and nothing is to be guarded by one",
      hint: "Say so: --access app-password, alone or joined with others.")
  }

  /// Why `--access` is not understood.
  static func failure(_ problem: AccessControl.Problem) -> Failure {
    let hint =
      """
      Constraints: presence, biometry-any, biometry-current, passcode, app-password; several \
      joined by and, or by or.
      """
    return switch problem {
    case .strictWithoutFinger:
      Failure(
        .usage, "--strict-match says how a finger must match, and --access asks for none",
        hint: hint)
    case .empty: Failure(.usage, "--access is empty", hint: hint)
    case .unknown(let text):
      Failure(.usage, "--access does not know \u{201C}\(text)\u{201D}", hint: hint)
    case .mixedJunctions:
      Failure(.usage, "--access joins either by and or by or, not by both", hint: hint)
    case .presenceWithOthers:
      Failure(
        .usage,
        "--access presence means a finger or the passcode: only app-password goes with it",
        hint: hint)
    case .bothBiometries:
      Failure(.usage, "--access takes biometry-any or biometry-current, not both", hint: hint)
    }
  }
}

extension AttributeName {
  /// Those by which people know an item.
  fileprivate static let ofNames: [AttributeName] = [.label, .service, .server, .account]
}

extension ItemAttributes {
  /// As JSON shows it: what has no value is left out, but for the names that every password has.
  var json: JSONValue { json(isLost: false) }

  /// The same, with whether nothing opens it any more.
  func json(isLost: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "id", value: .string(identifier)),
      .init(name: "class", value: .string(itemClass.name)),
    ]
    // These three are there in any case.
    let owed: [AttributeName] = [.service, .account, .label]
    for name in owed + values.names.filter({ !owed.contains($0) }) {
      members.append(.init(name: name.name, value: values[name]?.json(name.form) ?? ""))
    }
    let others = JSONValue.object([
      "subjectName": values[.subject] == nil ? nil : .string(words(.subject)),
      "issuerName": values[.issuer] == nil ? nil : .string(words(.issuer)),
      "group": .string(group), "synchronizable": isSynchronizable ? .bool(true) : nil,
      "accessible": .string(accessibility.name),
      "access": accessControl.map { .string($0.text) },
      "strictMatch": accessControl?.requiresStrictMatch == true ? .bool(true) : nil,
      "lost": isLost ? .bool(true) : nil,
      "sharedWith": sharedWith.isEmpty ? nil : .array(sharedWith.map { .string($0) }),
      "createdAt": .time(createdAt),
      "modifiedAt": .time(modifiedAt),
    ])
    if case .object(let more) = others { members += more }
    return .object(members)
  }
}

extension ItemAttributes {
  /// The subject or the issuer of a certificate as RFC 4514 writes names; empty where there is none.
  func words(_ name: AttributeName) -> String {
    guard case .data(let der) = values[name] else { return "" }
    return DistinguishedName(der: der)?.text ?? ""
  }
}

extension AttributeValue {
  fileprivate func json(_ form: AttributeName.Form) -> JSONValue {
    switch self {
    case .text(let text): .string(text)
    // Bytes of an attribute that may be a text are told from one.
    case .data(let data) where form == .textOrData:
      .object(["base64": .string(Base64.text(of: data))])
    case .data(let data): .string(Base64.text(of: data))
    case .number(let number):
      switch form {
      case .flag: .bool(number != 0)
      case .time: .time(number)
      default: .integer(number)
      }
    }
  }
}

extension GotItem {
  /// Writes an object of the attributes and the secret in base64, the secret never in anything but
  /// locked memory.
  borrowing func write(to output: Output) {
    output.secret("{\"item\":\(attributes.json.text)")
    output.writeSecretMember(secret)
    output.secret("}")
  }
}

extension Output {
  /// Writes `,"secret":"…"`, a secret in base64.
  func writeSecretMember(_ bytes: borrowing SecretBytes) {
    secret(",\"secret\":\"")
    let encoded = Base64.encoded(bytes.bytes)
    secret(encoded.bytes)
    secret([UInt8(ascii: "\"")].span)
  }

  /// Ends the one object of `--json` that was written in pieces.
  func endObject() { secret("\n") }

  /// Writes one object of several items with their secrets.
  func write(_ items: [ItemWithSecret]) {
    secret("{\"items\":[")
    for (index, opened) in items.enumerated() {
      if index > 0 { secret(",") }
      opened.item.write(to: self)
    }
    secret("]}")
    endObject()
  }
}
