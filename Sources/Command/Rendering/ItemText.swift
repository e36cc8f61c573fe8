import ClientProtocol
import Wire

/// Items, for people.
enum ItemText {
  /// How an item is called in a sentence.
  static func name(_ item: ItemAttributes) -> String {
    name([item.label, item.service, item.account])
  }

  /// How what a query means is called in a sentence.
  static func name(_ query: ItemQuery) -> String {
    name([query.label ?? "", query.service ?? "", query.account ?? ""])
  }

  private static func name(_ parts: [String]) -> String {
    let parts = parts.filter { !$0.isEmpty }
    return parts.isEmpty ? "an item" : parts.joined(separator: " / ").printable
  }

  static func count(_ count: UInt32) -> String { count == 1 ? "1 item" : "\(count) items" }

  static func table(_ items: [ItemAttributes], _ paint: Paint) -> [String] {
    guard !items.isEmpty else { return ["There are no items."] }
    var table = Table("service", "account", "label", "opens with", "reachable", "changed")
    for item in items {
      table.add(
        item.service, item.account, item.label, item.accessControl.map(opening) ?? "",
        item.accessibility.name, Timestamp.day(item.modifiedAt))
    }
    return table.lines(paint)
  }

  /// What an access control asks for.
  static func opening(_ control: AccessControl) -> String {
    control.text + (control.requiresStrictMatch ? " (strict)" : "")
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

extension ItemAttributes {
  /// As JSON shows it.
  var json: JSONValue {
    .object([
      "id": .string(identifier), "class": .string(itemClass.name), "service": .string(service),
      "account": .string(account), "label": .string(label),
      "accessible": .string(accessibility.name),
      "access": accessControl.map { .string($0.text) },
      "strictMatch": accessControl?.requiresStrictMatch == true ? .bool(true) : nil,
      "createdAt": .time(createdAt),
      "modifiedAt": .time(modifiedAt),
    ])
  }
}

extension FoundItems {
  /// As JSON shows it.
  var json: JSONValue { .object(["items": .array(items.map(\.json))]) }
}

extension GotItem {
  /// Writes an object of the attributes and the secret in base64, the secret never in anything but
  /// locked memory.
  borrowing func write(to output: Output) {
    let start = Array("{\"item\":\(attributes.json.text),\"secret\":\"".utf8)
    output.secret(start.span)
    let encoded = Base64.encoded(secret.bytes)
    output.secret(encoded.bytes)
    output.secret(Array("\"}".utf8).span)
  }
}

extension Output {
  /// Ends the one object of `--json` that was written in pieces.
  func endObject() { secret([UInt8(ascii: "\n")].span) }

  /// Writes one object of several items with their secrets.
  func write(_ items: [ItemWithSecret]) {
    secret(Array("{\"items\":[".utf8).span)
    for (index, opened) in items.enumerated() {
      if index > 0 { secret([UInt8(ascii: ",")].span) }
      opened.item.write(to: self)
    }
    secret(Array("]}".utf8).span)
    endObject()
  }
}
