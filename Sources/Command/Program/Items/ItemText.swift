import CoreClient
import Cryptography
import Protocol

enum ItemText {
  /// The name of an item in a sentence.
  static func name(_ item: ItemAttributes) -> String {
    name(AttributeName.ofNames.map { item.values[text: $0] })
  }

  /// The name of what a query means.
  static func name(_ query: ItemQuery) -> String {
    name(AttributeName.ofNames.map { query.terms[text: $0] ?? "" })
  }

  private static func name(_ parts: [String]) -> String {
    let parts = parts.filter { !$0.isEmpty }
    return parts.isEmpty ? "an item" : parts.joined(separator: " / ").printable
  }

  /// The names of items in a sentence. Only the first of many are listed.
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

  /// What an access control asks for, or that nothing opens the item any more.
  static func opening(_ control: AccessControl, isLost: Bool = false) -> String {
    isLost
      ? "nothing: the fingers changed"
      : control.text + (control.requiresStrictMatch ? " (strict)" : "")
  }

  /// When it can be reached. Items with an access control never leave the device, which is not said
  /// again.
  static func reach(_ item: ItemAttributes) -> String {
    let name = item.accessibility.name
    let remark = "-this-device-only"
    guard item.accessControl != nil, name.hasSuffix(remark) else { return name }
    return String(name.dropLast(remark.count))
  }

  /// Parses the value of `--access` or `--set-access`.
  static func accessControl(
    _ text: String, isStrict: Bool, isReusable: Bool = false
  ) throws(Failure) -> AccessControl {
    do throws(AccessControl.Problem) {
      return try AccessControl(
        parsing: text, with: [isStrict ? .strictMatch : [], isReusable ? .reusable : []])
    } catch {
      throw failure(error)
    }
  }

  static var unusedAppPassword: Failure {
    Failure(
      .usage, "An application password is given, but nothing needs one",
      hint: "Add app-password to --access.")
  }

  static func failure(_ problem: AccessControl.Problem) -> Failure {
    let hint =
      """
      Constraints: presence, biometry-any, biometry-current, passcode, app-password; several \
      joined by and, or by or.
      """
    return switch problem {
    case .strictWithoutFinger:
      Failure(.usage, "--strict-match needs an --access that asks for a finger", hint: hint)
    case .empty: Failure(.usage, "--access is empty", hint: hint)
    case .unknown(let text):
      Failure(.usage, "--access does not know \u{201C}\(text)\u{201D}", hint: hint)
    case .mixedJunctions:
      Failure(.usage, "--access cannot join with both and and or", hint: hint)
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
  /// The attributes by which people know an item.
  fileprivate static let ofNames: [AttributeName] = [.label, .service, .server, .account]
}

extension ItemAttributes {
  /// The object of `--json`. Attributes without a value are left out, except for names that every
  /// password has.
  var json: JSONValue { json(isLost: false) }

  func json(isLost: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "id", value: .string(identifier)),
      .init(name: "class", value: .string(itemClass.name)),
    ]
    // These are always there.
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
  /// The subject or issuer of a certificate in the form of RFC 4514; empty if there is none.
  func words(_ name: AttributeName) -> String {
    guard case .data(let der) = values[name] else { return "" }
    return DistinguishedName(der: der)?.text ?? ""
  }
}

extension AttributeValue {
  fileprivate func json(_ form: AttributeName.Form) -> JSONValue {
    switch self {
    case .text(let text): .string(text)
    // Distinguishes bytes from a text.
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
  /// Writes an object of the attributes and the secret in base64. The secret stays in locked
  /// memory.
  borrowing func write(to output: Output) {
    output.secret("{\"item\":\(attributes.json.text)")
    output.writeSecretMember(secret)
    output.secret("}")
  }
}

extension Output {
  /// Writes `,"secret":"…"` in base64.
  func writeSecretMember(_ bytes: borrowing SecretBytes) {
    secret(",\"secret\":\"")
    let encoded = Base64.encoded(bytes.bytes)
    secret(encoded.bytes)
    secret([UInt8(ascii: "\"")].span)
  }

  /// Ends an object of `--json` that was written in pieces.
  func endObject() { secret("\n") }

  /// Writes one object with several items and their secrets.
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
