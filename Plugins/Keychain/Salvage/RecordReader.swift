import Foundation
import GRDB

/// Reads what a record is made of, never past its end (sqlite.org/fileformat2.html#record_format).
struct RecordReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Nil where the bytes are no record, or not the whole of one.
  static func values(in record: [UInt8]) -> [DatabaseValue]? {
    var header = RecordReader(record[...])
    guard let headerCount = header.varint(), headerCount <= Int64(record.count),
      headerCount > record.count - header.rest.count
    else { return nil }
    var body = RecordReader(record[Int(headerCount)...])
    header.rest = header.rest.prefix(Int(headerCount) - (record.count - header.rest.count))
    var values: [DatabaseValue] = []
    while !header.rest.isEmpty {
      guard let type = header.varint(), let value = body.value(ofType: type) else { return nil }
      values.append(value)
    }
    return body.rest.isEmpty ? values : nil
  }

  private mutating func value(ofType type: Int64) -> DatabaseValue? {
    switch type {
    case 0: return .null
    case 8, 9: return (type - 8).databaseValue
    case 1...6:
      return bytes([1, 2, 3, 4, 6, 8][Int(type - 1)]).map { Self.integer($0).databaseValue }
    case 7:
      return bytes(8).map {
        Double(bitPattern: UInt64(bitPattern: Self.integer($0))).databaseValue
      }
    case 12...Int64(1 << 31):
      guard let content = bytes(Int(type - 12) / 2) else { return nil }
      guard type % 2 == 1 else { return Data(content).databaseValue }
      return String(validating: content, as: UTF8.self)?.databaseValue
    default: return nil
    }
  }

  /// A number in two's complement, the highest byte first.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let sign: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Up to nine bytes, seven bits of each but the ninth.
  mutating func varint() -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = rest.popFirst() else { return nil }
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: value)
  }

  /// The next `count` bytes.
  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }
}
