import GRDB
import Protocol

/// What can be read of a database page by page, whatever tree a page was in and whether anything
/// leads to it.
///
/// A row is in its table, and its name in an index beside it, on another page. So where the page of a
/// row is gone the index tells that there was one.
struct Salvage {
  private let pages: DatabasePages
  private let tables: [TableShape]
  /// The pages that records and the list of free pages lead to.
  private var explained: Set<Int> = []
  /// What may be names of rows, by their table.
  private var names: [String: Set<IndexEntry>] = [:]
  /// The index that begins on a page, where the list of tables can be read, and the pages below those
  /// of indexes.
  private var roots: [Int: String] = [:]
  private var children: [Int: [Int]] = [:]
  /// Whether a page, or a part of one, says nothing: what it held cannot be told.
  private(set) var hasUnreadablePages = false

  /// A row's name with its number, as an index has it, and the page on which it has it.
  private struct IndexEntry: Hashable {
    let values: [DatabaseValue]
    let page: Int
  }

  /// Reads everything and adds the rows that there are to an empty database of this version.
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

  /// Takes a record of the list of tables and indexes, if it is one
  /// (sqlite.org/fileformat2.html#storage_of_the_sql_database_schema).
  private mutating func noteIndex(_ record: [DatabaseValue]) {
    guard record.count == 5, case .string("index") = record[0].storage,
      case .string(let name) = record[1].storage, case .int64(let root) = record[3].storage
    else { return }
    roots[Int(truncatingIfNeeded: root)] = name
  }

  /// Which index a page is of, as far as that can be told.
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

  /// A whole record, with what lies on pages of its own.
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

  /// The list of free pages, which begins in the file's header
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

  /// How many rows of a table the index tells of that are not in the database any more.
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

  /// What is found in indexes that look like one of names and are none.
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
