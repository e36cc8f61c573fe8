import DriverKit
import Foundation
import Testing

@Suite("The dynamic symbols of a file")
struct SymbolTableTests {
  private func template() throws -> [UInt8] {
    try Array(
      Data(contentsOf: URL(fileURLWithPath: Sources.products + "/libauthcore-driver-template.so")))
  }

  @Test("a driver exports its entry, and imports what the C library has")
  func driver() throws {
    let table = try SymbolTable(file: template())
    #expect(table.exported == ["ac_sensor_entry"])
    #expect(table.imported.contains("calloc"))
  }

  @Test(
    "what is no ELF file is refused", arguments: [[], [0x7F, 0x45], Array("#!/bin/sh\n".utf8)])
  func noELF(_ bytes: [UInt8]) {
    #expect(throws: SymbolTable.Problem.notELF) { try SymbolTable(file: bytes) }
  }

  /// Where the headers of the sections begin; with most linkers at the end of the file.
  private func sections(of bytes: [UInt8]) -> Int {
    (0..<8).reduce(0) { $0 | Int(bytes[0x28 + $1]) << (8 * $1) }
  }

  @Test("a file cut before the headers of its sections is refused")
  func truncated() throws {
    let bytes = try template()
    for count in stride(from: 0, to: sections(of: bytes), by: 197) {
      #expect(throws: SymbolTable.Problem.self) { try SymbolTable(file: Array(bytes[..<count])) }
    }
  }

  @Test("any value in the headers gives a table or an error, never a trap")
  func damagedHeaders() throws {
    let bytes = try template()
    let start = sections(of: bytes)
    for offset in Array(0x28..<0x40) + Array(stride(from: start, to: bytes.count, by: 5)) {
      var damaged = bytes
      damaged[offset] = 0xFF
      _ = try? SymbolTable(file: damaged)
      _ = try? SymbolTable(file: Array(damaged[..<(bytes.count - offset % 64)]))
    }
  }
}
