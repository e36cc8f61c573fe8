extension GrayImage {
  /// Reads a binary PGM picture (netpbm's pgm(5)) with 8-bit pixels.
  ///
  /// Total: any bytes give a picture or an error. The size is checked against
  /// ``maximumSide`` and against the number of bytes before pixels are allocated. A picture whose
  /// white is below 255 is stretched to 0...255. White space after the last pixel is allowed, since
  /// editors leave it; anything else there means that the size lies.
  ///
  /// - Throws: ``PGMError``, whose description is a sentence without the file's name.
  package init(decodingPGM bytes: Span<UInt8>) throws(PGMError) {
    let header = try PGMHeader(decoding: bytes)
    let expected = header.width * header.height
    let raster = bytes.extracting(droppingFirst: header.length)
    guard raster.count >= expected else {
      throw .truncated(expected: expected, found: raster.count)
    }
    for index in expected..<raster.count where !PGMHeader.isWhiteSpace(raster[index]) {
      throw .trailingBytes(count: raster.count - expected)
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(expected)
    for index in 0..<expected {
      let value = Int(raster[index])
      guard value <= header.maximum else {
        throw .pixelAboveMaximum(value: value, maximum: header.maximum)
      }
      pixels.append(UInt8((value * 255 + header.maximum / 2) / header.maximum))
    }
    self.init(width: header.width, height: header.height, pixels: pixels)
  }

  /// Reads a binary PGM picture; see ``init(decodingPGM:)-(Span<UInt8>)``.
  package init(decodingPGM bytes: [UInt8]) throws(PGMError) {
    try self.init(decodingPGM: bytes.span)
  }

  /// The picture as a binary PGM file: a header without comments, then the pixels.
  package func encodedPGM() -> [UInt8] {
    Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
  }
}
