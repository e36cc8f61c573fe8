/// The first 64 bytes of an image transfer, as far as they are needed, checked.
package struct ImageHeader: Equatable {
  /// Bytes before the first pixel.
  package static let size = 64
  /// Pixels in a line.
  package static let width = 384
  /// Lines of a whole image; of a transfer at least one is left out.
  package static let height = 290

  /// A run of lines that are sent alike.
  package struct Block: Equatable {
    /// 01: left out of the data; 02: encrypted; 04: the key generator stands still; 80: a new key
    /// from here on.
    package let flags: UInt8
    /// How many; not 0.
    package let lines: Int

    /// Whether its lines are in the data.
    package var isStored: Bool { flags & 0x01 == 0 }
    /// Whether the generator moves on by a byte per pixel.
    package var isClocked: Bool { flags & 0x04 == 0 }
    /// Whether its pixels are masked; so they are only where the generator moves.
    package var isEncrypted: Bool { flags & 0x06 == 0x02 }
    /// Whether the host has to fetch the next key first.
    package var changesKey: Bool { flags & 0x80 != 0 }
  }

  /// Lines in the data, 2…289; the data has them all.
  package let storedLines: Int
  /// Which key the image is encrypted with.
  package let keyNumber: UInt8
  /// How the lines are sent. Those stored do not exceed ``storedLines``, all of them not
  /// ``height``.
  package let blocks: [Block]

  /// How many lines of the image, from the first on, something came of; no line of the table begins
  /// beyond the data.
  package var shownLines: Int {
    var shown = 0
    var start = 0
    for block in blocks {
      let there = min(block.lines, storedLines - start)
      shown += there
      guard there == block.lines else { break }
      start += block.isStored ? block.lines : 0
    }
    return shown
  }

  /// Reads and checks the header of a transfer.
  package init(_ bytes: [UInt8]) throws(ImageFault) {
    // Some keyboards now and then send the lines alone.
    guard bytes.count >= Self.size, bytes.count != 289 * Self.width else {
      throw .incomplete("the image has \(bytes.count) bytes and no header")
    }
    let width = Int(bytes[2]) | Int(bytes[3]) << 8
    guard width == Self.width else {
      throw .untrue("the image claims lines of \(width) pixels; this device has \(Self.width)")
    }
    let lines = Int(bytes[4]) | Int(bytes[5]) << 8
    guard 2..<Self.height ~= lines else {
      throw .incomplete("the image claims \(lines) lines; 2 to \(Self.height - 1) are possible")
    }
    guard bytes.count >= Self.size + lines * Self.width else {
      throw .incomplete("the image claims \(lines) lines, but has only \(bytes.count) bytes")
    }
    storedLines = lines
    keyNumber = bytes[6]
    blocks = try Self.blocks(bytes[16..<46], storedLines: lines)
  }

  /// Reads the block table: pairs of flags and a number of lines, up to one without lines or to the
  /// end of the data.
  private static func blocks(_ table: ArraySlice<UInt8>, storedLines: Int) throws(ImageFault)
    -> [Block]
  {
    var blocks: [Block] = []
    var all = 0
    var stored = 0
    var position = table.startIndex
    while position + 1 < table.endIndex, table[position + 1] != 0, stored < storedLines {
      let block = Block(flags: table[position], lines: Int(table[position + 1]))
      blocks.append(block)
      all += block.lines
      stored += block.isStored ? block.lines : 0
      position += 2
    }
    guard all <= height else {
      throw .untrue("the image's table speaks of \(all) lines; there are \(height)")
    }
    guard stored <= storedLines else {
      throw .untrue("the image's table speaks of \(stored) stored lines; \(storedLines) came")
    }
    return blocks
  }
}

/// Why an image transfer is no image.
package enum ImageFault: Error, Equatable {
  /// The scan failed and the device sent nothing, or only part of an image: another touch helps.
  case incomplete(String)
  /// The header contradicts itself or the data: no image of this device looks like that.
  case untrue(String)
}
