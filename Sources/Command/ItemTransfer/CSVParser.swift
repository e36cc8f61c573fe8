/// Parses CSV (RFC 4180) in parts. Any bytes give rows, readable or not, and only one row is in
/// memory.
///
/// Lines end with CR LF, LF or CR. A byte order mark of UTF-8 and empty lines are ignored. A row
/// with misplaced quotation marks ends with its line.
package struct CSVParser: ~Copyable {
  private enum Place {
    case fieldStart
    case bare
    case quoted
    /// After a quotation mark in a quoted field: the end, or the first half of a doubled mark.
    case afterQuote
    /// In the rest of a broken line.
    case broken
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  private var place = Place.fieldStart
  private var row = CSVRow()
  private var line = 1
  /// The line where the quoted field begins.
  private var quoteLine = 1
  /// Whether the last byte was a CR, which an LF may follow.
  private var followsReturn = false
  /// The first bytes, until they are known to be a byte order mark or not.
  private var beginning: [UInt8]? = []

  package init() {}

  /// Reads the next part.
  /// - Parameters:
  ///   - bytes: the next part of the file.
  ///   - body: is called with every row that has ended, readable or not.
  /// - Throws: what `body` throws.
  package mutating func read<E: Error>(
    _ bytes: Span<UInt8>, _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) {
    var used = 0
    if var start = beginning {
      while used < bytes.count, start.count < Self.byteOrderMark.count {
        start.append(bytes[used])
        used += 1
      }
      beginning = start
      guard start.count == Self.byteOrderMark.count else { return }
      try endBeginning(body)
    }
    try take(bytes.extracting(droppingFirst: used), body)
  }

  /// Ends the last row, which `body` gets.
  /// - Returns: the line of a quotation mark that is never closed, or nil. What follows it is no
  ///   row.
  /// - Throws: what `body` throws.
  package mutating func finish<E: Error>(
    _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) -> Int? {
    try endBeginning(body)
    if place == .quoted { return quoteLine }
    if !row.isEmpty || place != .fieldStart { try endRow(body) }
    return nil
  }

  private mutating func endBeginning<E: Error>(
    _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) {
    guard let start = beginning.take(), start != Self.byteOrderMark else { return }
    try take(start.span, body)
  }

  private mutating func take<E: Error>(
    _ bytes: Span<UInt8>, _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) {
    var index = 0
    while index < bytes.count {
      let end = runEnd(in: bytes, from: index)
      if end > index {
        followsReturn = false
        if place == .fieldStart { place = .bare }
        if place == .afterQuote {
          row.fail(.textAfterQuote(field: row.currentField))
          place = .broken
        }
        if place != .broken { row.append(bytes.extracting(index..<end)) }
        index = end
      } else {
        try take(mark: bytes[index], at: bytes.extracting(index..<index + 1), body)
        index += 1
      }
    }
  }

  /// Where the run of ordinary bytes ends.
  private func runEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case Self.quote, Self.lineFeed, Self.carriageReturn: return index
      case Self.comma where place != .quoted: return index
      default: index += 1
      }
    }
    return index
  }

  /// Takes a comma, a quotation mark or a byte that ends lines.
  private mutating func take<E: Error>(
    mark: UInt8, at span: Span<UInt8>, _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) {
    let isSecondHalf = mark == Self.lineFeed && followsReturn
    followsReturn = mark == Self.carriageReturn
    if mark == Self.lineFeed || mark == Self.carriageReturn {
      if !isSecondHalf { line += 1 }
      if place == .quoted {
        row.append(span)
      } else if !isSecondHalf {
        try endRow(body)
      }
    } else if mark == Self.quote {
      takeQuote(span)
    } else if place != .broken {
      row.endField()
      place = .fieldStart
    }
  }

  private mutating func takeQuote(_ span: Span<UInt8>) {
    switch place {
    case .fieldStart: (place, quoteLine) = (.quoted, line)
    case .quoted: place = .afterQuote
    case .afterQuote:
      row.append(span)
      place = .quoted
    case .bare:
      row.fail(.strayQuote(field: row.currentField))
      place = .broken
    case .broken: break
    }
  }

  private mutating func endRow<E: Error>(_ body: (borrowing CSVRow) throws(E) -> Void) throws(E) {
    row.endField()
    row.check()
    defer {
      row.reset(line: line)
      place = .fieldStart
    }
    if !row.isBlank { try body(row) }
  }
}
