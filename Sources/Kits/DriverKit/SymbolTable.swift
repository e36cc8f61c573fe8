/// The dynamic symbols that a shared object exports and imports (ELF-64 little endian, `elf(5)`).
/// Any bytes give a table or an error.
package struct SymbolTable: Equatable, Sendable {
  /// Why a file cannot be read.
  package enum Problem: Error, Equatable, Sendable {
    case notELF
    case noDynamicSymbols
    /// This table leads outside the file.
    case truncated(String)
  }

  package private(set) var exported: [String] = []
  /// Without weak symbols, which may stay undefined.
  package private(set) var imported: [String] = []

  // elf(5): Elf64_Ehdr, Elf64_Shdr, Elf64_Sym.
  private static let headerSize = 64
  private static let sectionSize = 64
  private static let symbolSize = 24
  private static let dynamicSymbols: UInt64 = 11

  /// The linker's own symbols, which older linkers export.
  private static let linkerMarks: Set = [
    "_init", "_fini", "_edata", "_end", "__bss_start", "_DYNAMIC", "__data_start",
  ]

  package init(file: [UInt8]) throws(Problem) {
    guard file.count >= Self.headerSize, file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else {
      throw .notELF
    }
    let sections = try Self.number(file, 0x28, 8, "section table")
    let sectionSize = try Self.number(file, 0x3A, 2, "section table")
    let count = try Self.number(file, 0x3C, 2, "section table")
    guard sectionSize >= Self.sectionSize else { throw .noDynamicSymbols }
    for index in 0..<count {
      let section = try Self.offset(sections, index, sectionSize)
      guard try Self.number(file, section + 4, 4, "section") == Self.dynamicSymbols else {
        continue
      }
      let link = try Self.number(file, section + 40, 4, "section")
      guard link < count else { throw .truncated("string table") }
      let strings = try Self.content(file, Self.offset(sections, link, sectionSize))
      try read(Self.content(file, section), strings)
      return
    }
    throw .noDynamicSymbols
  }

  private mutating func read(
    _ symbols: ArraySlice<UInt8>, _ strings: ArraySlice<UInt8>
  ) throws(Problem) {
    // The first symbol is empty.
    for start in stride(from: Self.symbolSize, to: symbols.count, by: Self.symbolSize)
    where start + Self.symbolSize <= symbols.count {
      let base = symbols.startIndex + start
      let name =
        Int(symbols[base]) | Int(symbols[base + 1]) << 8
        | Int(symbols[base + 2]) << 16 | Int(symbols[base + 3]) << 24
      let binding = symbols[base + 4] >> 4
      let visibility = symbols[base + 5] & 3
      let section = Int(symbols[base + 6]) | Int(symbols[base + 7]) << 8
      guard name < strings.count else { throw .truncated("name of a symbol") }
      let text = String(
        decoding: strings[(strings.startIndex + name)...].prefix { $0 != 0 }, as: UTF8.self)
      // STB_GLOBAL 1, STB_WEAK 2, STB_GNU_UNIQUE 10; SHN_UNDEF 0, SHN_ABS 0xfff1; STV_DEFAULT 0,
      // STV_PROTECTED 3.
      switch (binding, section) {
      case (1, 0): imported.append(text)
      case (1, _), (2, 1...), (10, _):
        if section != 0xFFF1, visibility == 0 || visibility == 3, !Self.linkerMarks.contains(text) {
          exported.append(text)
        }
      default: continue
      }
    }
  }

  private static func content(
    _ file: [UInt8], _ section: UInt64
  ) throws(Problem) -> ArraySlice<UInt8> {
    let start = try number(file, section + 24, 8, "section")
    let size = try number(file, section + 32, 8, "section")
    guard start <= file.count, size <= UInt64(file.count) - start else {
      throw .truncated("section")
    }
    return file[Int(start)..<Int(start + size)]
  }

  private static func offset(
    _ base: UInt64, _ index: UInt64, _ size: UInt64
  ) throws(Problem) -> UInt64 {
    // Index and size have 16 or 32 bits, so their product fits. The sum may not.
    let (sum, isTooLarge) = base.addingReportingOverflow(index * size)
    guard !isTooLarge, sum < 1 << 62 else { throw .truncated("section table") }
    return sum
  }

  private static func number(
    _ file: [UInt8], _ offset: UInt64, _ size: Int, _ what: String
  ) throws(Problem) -> UInt64 {
    guard offset <= UInt64(file.count), UInt64(file.count) - offset >= UInt64(size) else {
      throw .truncated(what)
    }
    return (0..<size).reduce(0) { $0 | UInt64(file[Int(offset) + $1]) << UInt64(8 * $1) }
  }
}
