import EngineKit
import Foundation
import GRDB
import Wire

/// A row without its secret, as it was read; whoever can write the file may have put anything into it.
struct ItemRow {
  /// Bytes of an item's identifier.
  static let identifierCount = 16

  /// Grows with every row: the order of adding.
  let sequence: Int64
  let identifier: [UInt8]
  /// Counts updates, so that one process notices another's.
  let revision: Int64
  /// Nil where the column holds none there is.
  let itemClass: ItemClass?
  /// Nil where the column holds none there is.
  let accessibility: Accessibility?
  /// Nil where there is none, and where the column holds none there is: then the secret does not open.
  let accessControl: AccessControl?
  let sealedAttributes: [UInt8]

  /// The columns of ``init(_:)``, in its order.
  static let columns =
    "sequence, identifier, revision, class, accessibility, accessControl, sealedAttributes"

  init(_ row: Row) {
    sequence = row.integer(at: 0) ?? 0
    identifier = row.bytes(at: 1) ?? []
    revision = row.integer(at: 2) ?? 0
    itemClass = row.integer(at: 3).flatMap(UInt8.init(exactly:)).flatMap(ItemClass.init(rawValue:))
    accessibility = row.integer(at: 4).flatMap(UInt8.init(exactly:))
      .flatMap(Accessibility.init(rawValue:))
    accessControl = row.bytes(at: 5).flatMap(AccessControl.init(stored:))
    sealedAttributes = row.bytes(at: 6) ?? []
  }

  /// Whether the columns say what the sealed attributes say.
  func agrees(with attributes: ItemAttributes) -> Bool {
    attributes.identifier == Self.text(of: identifier) && attributes.itemClass == itemClass
      && attributes.accessibility == accessibility && attributes.accessControl == accessControl
  }

  /// What is authenticated with the secret. Only for a row that ``agrees(with:)`` its attributes.
  func protection(application: [UInt8]) -> ItemProtection {
    ItemProtection(
      accessibility: accessibility ?? .whenUnlocked, accessControl: accessControl,
      identity: Self.identity(
        identifier, itemClass: itemClass ?? .generic, application: application))
  }

  /// The row's attributes for a batch, or nil where they cannot be any.
  func entry(application: [UInt8]) -> AttributesEntry? {
    guard let itemClass, let accessibility, identifier.count == Self.identifierCount,
      sealedAttributes.count <= largestAttributes + 64
    else { return nil }
    return AttributesEntry(
      accessibility: accessibility,
      identity: Self.identity(identifier, itemClass: itemClass, application: application),
      bytes: sealedAttributes)
  }

  /// Which item this is, as the enclave authenticates it: a row under another application's name opens for neither (K2).
  static func identity(
    _ identifier: [UInt8], itemClass: ItemClass, application: [UInt8]
  ) -> [UInt8] { identifier + [itemClass.rawValue] + application }

  /// An identifier as people and messages have it: 32 hexadecimal digits.
  static func text(of identifier: [UInt8]) -> String {
    identifier.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension Row {
  /// GRDB's own conversions end the process where a column holds another type.
  func integer(at index: Int) -> Int64? {
    guard case .int64(let value) = (self[index] as DatabaseValue).storage else { return nil }
    return value
  }

  /// As ``integer(at:)``.
  func bytes(at index: Int) -> [UInt8]? {
    guard case .blob(let value) = (self[index] as DatabaseValue).storage else { return nil }
    return Array(value)
  }
}

extension AccessControl {
  /// The two bytes of the column, or nil where they are none.
  init?(stored bytes: [UInt8]) {
    do throws(DecodeError) {
      var decoder = WireDecoder(bytes.span)
      let control = try AccessControl(from: &decoder)
      try decoder.finish()
      self = control
    } catch {
      return nil
    }
  }

  /// The two bytes of the column.
  var stored: [UInt8] { [constraints.rawValue, junction.rawValue] }
}
