import GRDB
import Protocol

/// Copies items and keys from the database of an untrusted keychain.
///
/// SQLite never opens it, so no trigger, view or expression in it runs. Its pages are read here,
/// each at most once, and only rows that a keychain could have written are taken.
struct ForeignDatabase {
  private let file: DatabaseFile
  private let pages: DatabasePages
  private var visited: Set<Int> = []
  private var rowsLeft = Self.mostRows

  /// Items and keys that are taken: more than twice as many as keychains are measured with.
  private static let mostRows = 250_000
  /// Most bytes of a row.
  private static let longestRow =
    largestSealedSecret(of: .certificate) + 2 * largestAttributes + 4096

  init(_ file: DatabaseFile) throws(Failure) {
    self.file = file
    pages = try DatabasePages(file)
  }

  /// Adds every item and key, and the enclave's identity, to an empty database of this version.
  mutating func copy(into database: Database) throws {
    try checkHeader()
    let roots = try tables()
    for table in try TableShape.all(in: database) {
      guard let root = roots[table.name] else { continue }
      let refusal = damaged("a row of \(table.name)")
      try walk(from: root) { values, sequence in
        guard table.takes(values), table.fits(values),
          try table.insert(values, sequence: sequence, into: database)
        else { throw refusal }
      }
    }
  }

  /// Checks the header (sqlite.org/fileformat2.html#the_database_header).
  private func checkHeader() throws {
    guard let header = pages.page(1),
      header.prefix(16).elementsEqual("SQLite format 3\0".utf8),
      header[16...17].elementsEqual([0x10, 0x00]),  // Pages of 4096 bytes,
      header[20] == 0,  // all of which hold rows;
      header.number(at: 56) == 1,  // text is UTF-8.
      header.number(at: 68) == UInt32(ItemSchema.applicationID)
    else { throw damaged("its header") }
  }

  /// The first page of each table, by name.
  /// - Throws: naming what no keychain has.
  private mutating func tables() throws -> [String: Int] {
    let known = try ItemSchema.knownTexts.get()
    let (refusal, file) = (damaged("its schema"), file)
    var roots: [String: Int] = [:]
    try walk(from: 1) { values, _ in
      guard values.count == 5, case .string(let type) = values[0].storage,
        case .string(let name) = values[1].storage, case .int64(let root) = values[3].storage
      else { throw refusal }
      var text = name
      if case .string(let sql) = values[4].storage { text = sql }
      guard known.contains(text) else { throw StorageFailure.strange(file, name) }
      guard type == "table" else { return }
      guard let root = Int(exactly: root), roots.updateValue(root, forKey: name) == nil else {
        throw refusal
      }
    }
    return roots
  }

  /// Walks through the rows of a table, in their order.
  private mutating func walk(
    from root: Int, _ body: ([DatabaseValue], _ sequence: Int64) throws -> Void
  ) throws {
    var pending = [root]
    while let number = pending.popLast() {
      let page = try TreePage(read(number), number: number)
      switch page?.kind {
      case .innerTable: pending += page?.children ?? []
      case .table:
        // Overlapping cells could make any number of rows of one page.
        var room = DatabasePages.size
        for cell in page?.cells ?? [] {
          guard let cell, cell.local.count <= room else { throw damaged("page \(number)") }
          room -= cell.local.count
          rowsLeft -= 1
          guard rowsLeft >= 0 else { throw tooMany }
          guard let values = RecordReader.values(in: try record(of: cell)) else {
            throw damaged("a row on page \(number)")
          }
          try body(values, cell.sequence)
        }
      case .index, .innerIndex, nil: throw damaged("page \(number)")
      }
    }
  }

  /// A whole record, with its overflow pages.
  private mutating func record(of cell: TreePage.Cell) throws -> [UInt8] {
    guard cell.count <= Self.longestRow else { throw damaged("a row that is too long") }
    var record = Array(cell.local)
    var next = cell.overflow
    while record.count < cell.count {
      let page = try read(next)
      record += page[4...].prefix(cell.count - record.count)
      next = Int(page.number(at: 0))
    }
    return record
  }

  /// Reads a page that was not read before.
  private mutating func read(_ number: Int) throws -> [UInt8] {
    guard visited.insert(number).inserted, let page = pages.page(number) else {
      throw damaged("page \(number)")
    }
    return page
  }

  private func damaged(_ what: String) -> Failure {
    Failure(
      .stateDamaged, "the keychain that was handed over is damaged: \(what)",
      hint: "repair it where it is: authcore --home DIR keychain repair")
  }

  private var tooMany: Failure {
    Failure(
      .unsupported, "the keychain that was handed over holds more than \(Self.mostRows) items",
      hint: Self.byBackup)
  }

  private static let byBackup =
    "take them along by a backup: authcore --home DIR backup create FILE, authcore backup restore FILE"
}
