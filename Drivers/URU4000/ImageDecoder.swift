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

/// Turns an image transfer into pixels. Pure: the keys come from the caller, who fetches them from
/// the device.
package struct ImageDecoder {
  /// What the device said of the image.
  package let header: ImageHeader
  /// The stored lines, one after the other, where they lie in the transfer.
  private var lines: ArraySlice<UInt8>

  /// Takes a transfer apart.
  package init(_ transfer: [UInt8]) throws(ImageFault) {
    header = try ImageHeader(transfer)
    lines = transfer.dropFirst(ImageHeader.size).prefix(header.storedLines * ImageHeader.width)
  }

  /// Whether the pixels are masked. Decided by noise, since a device whose firmware was told not to
  /// encrypt still says it does: neighboring pixels of an image are alike, those of an encrypted
  /// one are not.
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
  /// - Throws: what that throws.
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

  /// Each byte becomes the next one without its mask: the first byte of a block carries nothing,
  /// and its last pixel is lost.
  private mutating func unmask(_ block: Range<Int>, _ generator: inout KeyGenerator) {
    for index in block.dropLast() {
      lines[index] = lines[index + 1] ^ generator.mask
      generator.clock()
    }
    lines[block.upperBound - 1] = 0
    generator.clock()
  }

  /// The whole image as the device sees it, ridges bright: 384 x 290 pixels. A line that was left
  /// out is shown as the one that follows it, lines the table does not speak of as 0.
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

/// Which part of a scan the optics show: the imager is wider than its prism, and its columns beyond
/// see nothing.
package struct ImageWindow: Equatable {
  /// For each row of a scan in device order, the columns that see the prism.
  package let extents: [Range<Int>]

  /// Columns beside the window are 0 to within the noise, those of an empty prism 7 and more (a
  /// 4500 with columns 12 to 368).
  private static let darkest = 3
  /// As many columns at each side are looked at; a finger of its own width lies between.
  private static let widestMargin = 24

  /// Finds the window of a scan, ridges bright. Rows from `rows` on were not sent.
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
