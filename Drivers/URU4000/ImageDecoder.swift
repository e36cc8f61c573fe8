/// The checked header of an image transfer: its first 64 bytes, as far as they are needed.
package struct ImageHeader: Equatable {
  /// Bytes before the first pixel.
  package static let size = 64
  /// Pixels in a line.
  package static let width = 384
  /// Lines of a whole image. A transfer leaves out at least one.
  package static let height = 290

  /// A run of lines that are sent in the same way.
  package struct Block: Equatable {
    /// 01: left out of the data; 02: encrypted; 04: the key generator stands still; 80: a new key
    /// from here on.
    package let flags: UInt8
    /// Not 0.
    package let lines: Int

    package var isStored: Bool { flags & 0x01 == 0 }
    /// Whether the generator advances by a byte for each pixel.
    package var isClocked: Bool { flags & 0x04 == 0 }
    /// Whether its pixels are masked, which needs a generator that advances.
    package var isEncrypted: Bool { flags & 0x06 == 0x02 }
    package var changesKey: Bool { flags & 0x80 != 0 }
  }

  /// Lines in the data, 2…289.
  package let storedLines: Int
  package let keyNumber: UInt8
  /// How the lines are sent. The stored ones do not exceed ``storedLines``, and all do not exceed
  /// ``height``.
  package let blocks: [Block]

  /// How many lines of the image, from the first on, are in the data or left out between such
  /// lines.
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

  package init(_ bytes: [UInt8]) throws(ImageFault) {
    // Some keyboards sometimes send the lines without a header.
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

/// Why a transfer is not an image.
package enum ImageFault: Error, Equatable {
  /// The scan failed, and the device sent nothing or only part of an image. Another touch can help.
  case incomplete(String)
  /// The header contradicts itself or the data, as no image of this device does.
  case untrue(String)
}

/// Turns an image transfer into pixels. The caller fetches the keys from the device.
package struct ImageDecoder {
  package let header: ImageHeader
  /// The stored lines, as a part of the transfer.
  private var lines: ArraySlice<UInt8>

  package init(_ transfer: [UInt8]) throws(ImageFault) {
    header = try ImageHeader(transfer)
    lines = transfer.dropFirst(ImageHeader.size).prefix(header.storedLines * ImageHeader.width)
  }

  /// Whether the pixels are masked. The noise tells, because a device whose firmware was told not
  /// to encrypt still says that it does: only in a plain image are neighboring pixels alike.
  package var isEncrypted: Bool {
    let width = ImageHeader.width
    let sums = zip(lines, lines.dropFirst(width)).prefix(width).map { Int($0) + Int($1) }
    let mean = sums.reduce(0, +) / width
    let variance = sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / width
    return variance >= 5000
  }

  /// Decrypts the stored lines, block by block.
  ///
  /// - Parameter key: fetches the key of that number from the device.
  /// - Throws: what `key` throws.
  package mutating func decrypt<Failure: Error>(
    key: (UInt8) throws(Failure) -> UInt32
  ) throws(Failure) {
    var number = header.keyNumber
    var generator = KeyGenerator(try key(number))
    var start = lines.startIndex
    for block in header.blocks {
      if block.changesKey {
        number &+= 1
        generator = KeyGenerator(try key(number))
      }
      let count = block.lines * ImageHeader.width
      if block.isEncrypted && block.isStored {
        unmask(start..<(start + count), &generator)
      } else if block.isClocked {
        generator.clock(count)
      }
      start += block.isStored ? count : 0
    }
  }

  /// Each byte becomes the next one without its mask. The first byte of a block means nothing, and
  /// the last pixel is lost.
  private mutating func unmask(_ block: Range<Int>, _ generator: inout KeyGenerator) {
    for index in block.dropLast() {
      lines[index] = lines[index + 1] ^ generator.mask
      generator.clock()
    }
    lines[block.upperBound - 1] = 0
    generator.clock()
  }

  /// The whole image as the device sees it, ridges bright: 384 x 290 pixels. A line that was left
  /// out is shown like the next one. Lines that are not in the table are 0.
  package var pixels: [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(ImageHeader.width * ImageHeader.height)
    var start = lines.startIndex
    for block in header.blocks {
      let count = block.lines * ImageHeader.width
      let shown = lines[start..<min(start + count, lines.endIndex)]
      pixels += shown
      pixels += repeatElement(0, count: count - shown.count)
      start += block.isStored ? count : 0
    }
    pixels += repeatElement(0, count: ImageHeader.width * ImageHeader.height - pixels.count)
    return pixels
  }
}

/// The part of a scan that the optics show. The imager is wider than its prism, and its outer
/// columns see nothing.
package struct ImageWindow: Equatable {
  /// The columns that see the prism, for each row in device order.
  package let extents: [Range<Int>]

  /// Columns beside the window are 0 except for noise, and those of an empty prism 7 or more
  /// (measured with a 4500, whose window is columns 12 to 368).
  private static let darkest = 3
  /// How many columns at each side are examined. A whole finger fits between them.
  private static let widestMargin = 24

  /// Finds the window of a scan with bright ridges, of which `rows` rows were sent.
  package init(_ pixels: [UInt8], rows: Int) {
    let (width, height) = (ImageHeader.width, ImageHeader.height)
    func isDark(_ column: Int) -> Bool {
      let sum = stride(from: column, to: rows * width, by: width).reduce(0) { $0 + Int(pixels[$1]) }
      return sum < Self.darkest * rows
    }
    let left = (0..<Self.widestMargin).first { !isDark($0) } ?? Self.widestMargin
    let right = (0..<Self.widestMargin).first { !isDark(width - 1 - $0) } ?? Self.widestMargin
    extents = (0..<height).map { $0 < rows ? left..<width - right : 0..<0 }
  }
}
