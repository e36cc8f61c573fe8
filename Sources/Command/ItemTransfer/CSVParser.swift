/// Takes CSV (RFC 4180) apart, as it comes: any bytes give rows, readable or not, and the memory it
/// takes is that of one row.
///
/// Lines end with CR LF, LF or CR; a byte order mark of UTF-8 in front is left out, and so are empty
/// lines. A row whose quotation marks make no sense ends with its line.
package struct CSVParser: ~Copyable {
  private enum Place {
    case fieldStart
    /// In a field without quotation marks.
    case bare
    case quoted
    /// Behind a quotation mark in a field that began with one: its end, or half of one in it.
    case afterQuote
    /// In a row that makes no sense, before the end of its line.
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
  /// The line of the quotation mark that the current field began with.
  private var quoteLine = 1
  /// Whether the byte before was a CR, with which an LF makes one end of a line.
  private var followsReturn = false
  /// The first bytes, until it is known whether they are a byte order mark.
  private var beginning: [UInt8]? = []

  package init() {}

  /// Reads on.
  /// - Parameters:
  ///   - bytes: what comes next of the file.
  ///   - body: is given every row that ended, with a ``CSVRow/problem`` or without.
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

  /// Ends the last row.
  /// - Parameter body: is given it.
  /// - Returns: the line of a quotation mark that nothing ends, where there is one: what follows it
  ///   makes no row.
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

  /// Where the bytes end that mean themselves.
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

  private mutating func endRow<E: Error>(
    _ body: (borrowing CSVRow) throws(E) -> Void
  ) throws(E) {
    row.endField()
    row.check()
    defer {
      row.reset(line: line)
      place = .fieldStart
    }
    if !row.isBlank { try body(row) }
  }
}
