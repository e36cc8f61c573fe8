import Testing

@testable import URU4000Driver

@Suite("X3: what a U.are.U 4000 sends is checked before it is decoded")
struct URU4000DecodingTests {
  @Test("a line that was left out is shown as the one that follows it")
  func skippedLine() throws {
    let pixels = try ImageDecoder(URU4000Transfer().bytes).pixels
    #expect(pixels.count == 384 * 290)
    let lines = (0..<290).map { pixels[$0 * 384] }
    #expect(lines[..<123].elementsEqual((0..<122).map { UInt8($0) } + [122]))
    #expect(lines[122] == lines[123])
    #expect(lines[289] == UInt8(truncatingIfNeeded: 288))
  }

  @Test("columns beside the prism and lines that were not sent are no part of the picture")
  func window() {
    func scan(_ left: Int, _ right: Int, rows: Int = 290) -> [UInt8] {
      (0..<290).flatMap { row in
        (0..<384).map { left..<384 - right ~= $0 && row < rows ? 7 : UInt8(row % 100 == 0 ? 4 : 0) }
      }
    }
    #expect(
      ImageWindow(scan(12, 15), rows: 290).extents == Array(repeating: 12..<369, count: 290))
    #expect(
      ImageWindow(scan(0, 1, rows: 100), rows: 100).extents
        == Array(repeating: 0..<383, count: 100) + Array(repeating: 0..<0, count: 190))
    // Darkness in the middle is a finger or a broken imager, and does not make the window smaller.
    #expect(ImageWindow(scan(200, 150), rows: 290).extents[7] == 24..<360)
    #expect(ImageWindow(scan(0, 0), rows: 0).extents.allSatisfy { $0.isEmpty })
  }

  @Test("of lines that the table counts twice, or that never came, only those are shown that did")
  func shownLines() throws {
    var transfer = URU4000Transfer()
    #expect(try ImageHeader(transfer.bytes).shownLines == 290)
    transfer.table = [(2, 1), (0, 1), (2, 1)]
    transfer.lines = 3
    transfer.pixelCount = 3 * 384
    #expect(try ImageHeader(transfer.bytes).shownLines == 3)
    transfer.table = [(0, 2), (1, 9), (0, 1)]
    #expect(try ImageHeader(transfer.bytes).shownLines == 3)
  }

  @Test("an image is encrypted by its noise, whatever its table says")
  func noise() throws {
    var smooth = URU4000Transfer()
    #expect(try !ImageDecoder(smooth.bytes).isEncrypted)
    smooth.table = [(0, 255), (0, 34)]
    var rough = smooth.bytes
    for index in 64..<rough.count { rough[index] = UInt8(truncatingIfNeeded: index &* index >> 3) }
    #expect(try ImageDecoder(rough).isEncrypted)
  }

  @Test(
    "an encrypted block loses its first byte and last pixel, a plain one only moves the generator")
  func decryption() throws {
    var transfer = URU4000Transfer()
    transfer.table = [(2, 1), (0, 1), (2, 1)]
    transfer.lines = 3
    transfer.pixelCount = 3 * 384
    var decoder = try ImageDecoder(transfer.bytes)
    var asked: [UInt8] = []
    decoder.decrypt { number in
      asked.append(number)
      return 0x5444_09D6
    }
    var generator = KeyGenerator(0x5444_09D6)
    let pixels = decoder.pixels
    for line in 0..<3 {
      for column in 0..<384 {
        let expected: UInt8 =
          switch (line, column) {
          case (1, _): URU4000Transfer.pixel(line: 1, column: column)
          case (_, 383): 0
          default: URU4000Transfer.pixel(line: line, column: column + 1) ^ generator.mask
          }
        #expect(pixels[line * 384 + column] == expected)
        generator.clock()
      }
    }
    #expect(pixels[(3 * 384)...].allSatisfy { $0 == 0 })
    #expect(asked == [0])
  }

  @Test("a block can ask for the next key, and let the generator stand still")
  func keyChange() throws {
    var transfer = URU4000Transfer()
    transfer.keyNumber = 0xFF
    transfer.table = [(2, 1), (0x82, 1), (6, 1), (0x84, 1), (2, 1)]
    transfer.lines = 5
    transfer.pixelCount = 5 * 384
    var decoder = try ImageDecoder(transfer.bytes)
    var asked: [UInt8] = []
    decoder.decrypt { number in
      asked.append(number)
      return 0x1000_0000 + UInt32(number)
    }
    #expect(asked == [0xFF, 0, 1])
    let pixels = decoder.pixels
    // The first pixel of the last block, under a generator that has not moved since the third key.
    #expect(
      pixels[4 * 384]
        == URU4000Transfer.pixel(line: 4, column: 1) ^ KeyGenerator(0x1000_0001).mask)
    #expect(pixels[2 * 384] == URU4000Transfer.pixel(line: 2, column: 0))
  }

  @Test("a scan that failed or came in part costs a touch")
  func incomplete() throws {
    let transfers = [
      [], [UInt8](repeating: 7, count: 63), [UInt8](repeating: 7, count: 289 * 384),
      Array(URU4000Transfer().bytes.dropLast()), URU4000Transfer(lines: 290).bytes,
      URU4000Transfer(lines: 0).bytes, URU4000Transfer(lines: 1).bytes,
      URU4000Transfer(lines: 0xFFFF).bytes,
    ]
    for bytes in transfers {
      let fault = #expect(throws: ImageFault.self) { try ImageDecoder(bytes) }
      guard case .incomplete = fault else {
        Issue.record("\(bytes.count) bytes: \(String(describing: fault))")
        continue
      }
    }
  }

  @Test(
    "a header that contradicts itself or the data is no image of this device",
    arguments: [
      (URU4000Transfer(width: 383), "383 pixels"), (URU4000Transfer(width: 0), "0 pixels"),
      (URU4000Transfer(table: [(2, 255), (1, 36)]), "291 lines"),
      (URU4000Transfer(lines: 100, table: [(2, 101)]), "101 stored lines"),
      (URU4000Transfer(lines: 100, table: [(2, 99), (1, 50), (0, 2)]), "101 stored lines"),
    ] as [(URU4000Transfer, String)])
  func untrue(transfer: URU4000Transfer, reason: String) throws {
    let fault = #expect(throws: ImageFault.self) { try ImageDecoder(transfer.bytes) }
    guard case .untrue(let message) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(message.contains(reason))
  }

  @Test("a table that leaves out lines at its end, or speaks of none, gives an image")
  func oddTables() throws {
    let trailing = URU4000Transfer(lines: 200, table: [(0, 199), (1, 91)])
    let pixels = try ImageDecoder(trailing.bytes).pixels
    #expect(pixels.count == 384 * 290)
    #expect(pixels[199 * 384] == URU4000Transfer.pixel(line: 199, column: 0))
    #expect(pixels[200 * 384] == 0)
    let none = try ImageDecoder(URU4000Transfer(table: []).bytes)
    #expect(none.pixels == [UInt8](repeating: 0, count: 384 * 290))
  }
}

/// Image transfers of a U.are.U 4000, built field by field, to lie with.
struct URU4000Transfer {
  var width = 384
  var lines = 289
  var keyNumber: UInt8 = 0
  var table: [(flags: UInt8, lines: UInt8)] = [
    (2, 72), (0, 1), (2, 49), (1, 1), (0, 1), (2, 49), (0, 1), (2, 116),
  ]
  /// Of the pixels; every line counts up from its number.
  var pixelCount = 289 * 384

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes[0] = 0x10
    bytes[1] = 64
    bytes[2] = UInt8(width & 0xFF)
    bytes[3] = UInt8(width >> 8)
    bytes[4] = UInt8(lines & 0xFF)
    bytes[5] = UInt8(lines >> 8)
    bytes[6] = keyNumber
    for (index, entry) in table.prefix(15).enumerated() {
      bytes[16 + 2 * index] = entry.flags
      bytes[17 + 2 * index] = entry.lines
    }
    return bytes + (0..<pixelCount).map { Self.pixel(line: $0 / 384, column: $0 % 384) }
  }

  static func pixel(line: Int, column: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: line + column / 8)
  }
}
