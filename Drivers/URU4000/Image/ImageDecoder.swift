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
