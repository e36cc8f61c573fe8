import Foundation

/// Any JSON value, to inspect the output of a command.
package enum ParsedJSON: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([ParsedJSON])
  case object([String: ParsedJSON])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([ParsedJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: ParsedJSON].self))
    }
  }

  package subscript(key: String) -> ParsedJSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var number: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var array: [ParsedJSON]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}
