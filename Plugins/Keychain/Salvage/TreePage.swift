import Foundation
import GRDB

/// One page of any tree of a database (sqlite.org/fileformat2.html#b_tree_pages).
struct TreePage {
  enum Kind: UInt8 {
    case innerIndex = 2
    case innerTable = 5
    case index = 10
    case table = 13

    fileprivate var headerCount: Int {
      switch self {
      case .innerIndex, .innerTable: 12
      case .index, .table: 8
      }
    }
  }

  let kind: Kind
  private let bytes: [UInt8]
  /// Where the page's header begins: behind the file's header on the first page.
  private let start: Int

  init?(_ bytes: [UInt8], number: Int) {
    start = number == 1 ? 100 : 0
    guard bytes.count == DatabasePages.size, let kind = Kind(rawValue: bytes[start]) else {
      return nil
    }
    (self.kind, self.bytes) = (kind, bytes)
    guard cellCount * 2 + start + kind.headerCount <= bytes.count else { return nil }
  }

  private var cellCount: Int { Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]) }

  /// A cell. Inner pages hold no rows.
  struct Cell {
    /// The row's number; 0 in an index.
    let sequence: Int64
    /// Bytes of the record.
    let count: Int
    let local: ArraySlice<UInt8>
    /// The page where the record goes on, or 0.
    let overflow: Int
  }

  /// The cells; nil for an impossible one.
  var cells: [Cell?] {
    guard kind != .innerTable else { return [] }
    return (0..<cellCount).map { index in
      let pointer = start + kind.headerCount + index * 2
      return cell(at: Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
    }
  }

  /// The pages below this one, the last first.
  var children: [Int] {
    guard kind == .innerIndex || kind == .innerTable else { return [] }
    let links = (0..<cellCount).map { index in
      let pointer = start + kind.headerCount + index * 2
      return Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1])
    }
    return ([start + 8] + links.reversed()).filter { $0 + 4 <= bytes.count }.map {
      Int(bytes.number(at: $0))
    }
  }

  private func cell(at offset: Int) -> Cell? {
    guard offset >= start + kind.headerCount + cellCount * 2 else { return nil }
    var reader = RecordReader(bytes[min(offset, bytes.count)...])
    if kind == .innerIndex { reader.skip(4) }
    guard let count = reader.varint(), 0..<Int64(1 << 30) ~= count else { return nil }
    var sequence: Int64 = 0
    if kind == .table {
      guard let read = reader.varint() else { return nil }
      sequence = read
    }
    let inPage = localCount(of: Int(count))
    guard let local = reader.bytes(inPage) else { return nil }
    guard inPage < Int(count) else {
      return Cell(sequence: sequence, count: Int(count), local: local, overflow: 0)
    }
    guard let link = reader.bytes(4) else { return nil }
    return Cell(
      sequence: sequence, count: Int(count), local: local,
      overflow: Int(Array(link).number(at: 0)))
  }

  /// Bytes of a record that lie in its page; the rest is on overflow pages.
  private func localCount(of count: Int) -> Int {
    let usable = DatabasePages.size
    let most = kind == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard count > most else { return count }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (usable - 4)
    return fitting <= most ? fitting : least
  }
}

/// Reads the parts of a record, never past its end (sqlite.org/fileformat2.html#record_format).
struct RecordReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Nil if the bytes are not a whole record.
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

  /// A number in two's complement, big endian.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let sign: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Up to nine bytes with seven bits each; the ninth has eight.
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

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }
}
