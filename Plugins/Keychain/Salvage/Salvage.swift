import GRDB
import Protocol

/// Everything that can be read of a database page by page, even pages that nothing leads to.
///
/// A row is in its table, and its name also in an index, on another page. If the row's page is
/// gone, the index tells that there was a row.
struct Salvage {
  private let pages: DatabasePages
  private let tables: [TableShape]
  /// Pages that records and the list of free pages lead to.
  private var explained: Set<Int> = []
  /// Possible names of rows, by table.
  private var names: [String: Set<IndexEntry>] = [:]
  /// The index that begins on each page, as far as the list of tables can be read.
  private var roots: [Int: String] = [:]
  private var children: [Int: [Int]] = [:]
  /// Whether the contents of some page, or a part of it, are unknown.
  private(set) var hasUnreadablePages = false

  /// A row's name with its number, and the page of the index that has it.
  private struct IndexEntry: Hashable {
    let values: [DatabaseValue]
    let page: Int
  }

  /// Reads everything and adds the rows to an empty database of this version.
  init(_ pages: DatabasePages, into database: Database) throws {
    self.pages = pages
    tables = try TableShape.all(in: database)
    var others: [Int] = []
    for number in stride(from: 1, through: pages.count, by: 1) {
      guard let bytes = pages.page(number), let page = TreePage(bytes, number: number) else {
        others.append(number)
        continue
      }
      if page.kind == .innerIndex { children[number] = page.children }
      try take(page, number, into: database)
    }
    noteFreePages()
    hasUnreadablePages = hasUnreadablePages || others.contains { !explained.contains($0) }
  }

  private mutating func take(_ page: TreePage, _ number: Int, into database: Database) throws {
    for cell in page.cells {
      guard let cell, let record = record(of: cell),
        let values = RecordReader.values(in: record)
      else {
        hasUnreadablePages = true
        continue
      }
      if page.kind == .table {
        noteIndex(values)
        for table in tables where table.takes(values) {
          _ = try table.insert(values, sequence: cell.sequence, into: database)
        }
      } else {
        for table in tables {
          guard let name = table.name(in: values) else { continue }
          names[table.name, default: []].insert(IndexEntry(values: name, page: number))
        }
      }
    }
  }

  /// Notes a record of the list of tables and indexes
  /// (sqlite.org/fileformat2.html#storage_of_the_sql_database_schema).
  private mutating func noteIndex(_ record: [DatabaseValue]) {
    guard record.count == 5, case .string("index") = record[0].storage,
      case .string(let name) = record[1].storage, case .int64(let root) = record[3].storage
    else { return }
    roots[Int(truncatingIfNeeded: root)] = name
  }

  /// The index that each page belongs to, if known.
  private func indexesOfPages() -> [Int: String] {
    var indexes: [Int: String] = [:]
    for (root, name) in roots {
      var next = [root]
      while let page = next.popLast() {
        guard indexes.updateValue(name, forKey: page) == nil else { continue }
        next += children[page, default: []]
      }
    }
    return indexes
  }

  /// A whole record, with its overflow pages.
  private mutating func record(of cell: TreePage.Cell) -> [UInt8]? {
    var record = Array(cell.local)
    var next = cell.overflow
    let perPage = DatabasePages.size - 4
    guard cell.count - record.count <= pages.count * perPage else { return nil }
    while record.count < cell.count {
      guard let page = pages.page(next), explained.insert(next).inserted else { return nil }
      record += page[4...].prefix(cell.count - record.count)
      next = Int(page.number(at: 0))
    }
    return record
  }

  /// Notes the list of free pages, which begins in the file's header
  /// (sqlite.org/fileformat2.html#the_freelist).
  private mutating func noteFreePages() {
    guard let header = pages.page(1) else { return }
    var trunk = Int(header.number(at: 32))
    while let page = pages.page(trunk), explained.insert(trunk).inserted {
      let count = min(Int(page.number(at: 4)), DatabasePages.size / 4 - 2)
      for index in 0..<count { explained.insert(Int(page.number(at: 8 + index * 4))) }
      trunk = Int(page.number(at: 0))
    }
  }

  /// Rows of a table that the index knows and the database lacks.
  func lost(from table: String, in database: Database) throws -> Int {
    guard let shape = tables.first(where: { $0.name == table }) else { return 0 }
    let columns = shape.unique.joined(separator: ", ")
    var numbers: Set<Int64> = []
    var known: Set<[DatabaseValue]> = []
    let cursor = try Row.fetchCursor(database, sql: "SELECT \(columns), sequence FROM \(table)")
    while let row = try cursor.next() {
      let values = Array(row.databaseValues)
      known.insert(Array(values.dropLast()))
      if case .int64(let number) = values.last?.storage { numbers.insert(number) }
    }
    let indexes = indexesOfPages()
    let others = try otherNames(in: database)
    let missing = names[table, default: []].filter { entry in
      guard case .int64(let number) = entry.values.last?.storage else { return false }
      let name = Array(entry.values.dropLast())
      guard !known.contains(name), !numbers.contains(number) else { return false }
      return indexes[entry.page].map { $0 == shape.uniqueIndex } ?? !others.contains(name)
    }
    return Set(missing.map(\.values)).count
  }

  /// Values of other indexes that look like names.
  private func otherNames(in database: Database) throws -> Set<[DatabaseValue]> {
    var others: Set<[DatabaseValue]> = []
    for table in tables {
      for column in table.indexed {
        let values = try DatabaseValue.fetchAll(
          database, sql: "SELECT DISTINCT \(column) FROM \(table.name)")
        others.formUnion(values.map { [$0] })
      }
    }
    return others
  }
}
