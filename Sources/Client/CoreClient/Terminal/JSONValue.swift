/// A JSON value (RFC 8259), printed without spaces, members in the order they are given.
package enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Equatable {
    package let name: String
    let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// An object. Members without a value are left out.
  package static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .double(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    // Most texts are printable ASCII. There may be a hundred thousand of them.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      return "\"" + text + "\""
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      // More than the RFC demands, because a terminal must not obey the text.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue {
  /// A time in UTC (ISO 8601).
  package static func time(_ secondsSince1970: Int64) -> JSONValue {
    .string(Timestamp.text(secondsSince1970))
  }

  package static func count(_ value: some FixedWidthInteger) -> JSONValue {
    .integer(Int64(clamping: value))
  }

  /// A number rounded to `decimals` digits.
  package static func rounded(_ value: Double, decimals: Int) -> JSONValue {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    return .double((value * scale).rounded() / scale)
  }
}
