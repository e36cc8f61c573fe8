/// A message of the capture protocol, from a driver's host to the enclave's.
package protocol CaptureMessage: WireMessage, ~Copyable {
  /// The socket that the message came through; the driver's host sends 0. It is the first field, so
  /// that ``CaptureMessages/stamp(_:channel:)`` finds it.
  var channel: UInt32 { get }
}

package enum CaptureMessages {
  package static let numbers = [
    SensorFrame.number, SensorRetry.number, SensorEnd.number, ChipReport.number,
  ]

  /// Writes into a message which socket it came through. This is done in place because a frame is
  /// long; nothing else in it is looked at.
  /// - Returns: nil if the message is not one of the capture protocol.
  package static func stamp(
    _ message: consuming SecretBytes, channel: UInt32
  ) -> SecretBytes? {
    var encoder = WireEncoder()
    encoder.write(channel)
    let field = encoder.finishPlain()
    guard message.count > field.count, numbers.contains(message.bytes[0]) else { return nil }
    unsafe message.withUnsafeMutableBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[1...]).copyBytes(from: field)
    }
    return message
  }
}

extension SensorEnd {
  /// The message that ends a capture, with at most 1,000 characters of what the driver said.
  package static func encoded(
    channel: UInt32 = 0, session: UInt64, status: Int32, saying message: String
  ) -> SecretBytes {
    SensorEnd(
      channel: channel, session: session, status: status, message: String(message.prefix(1000))
    ).encoded()
  }
}

/// The capture protocol, driver host → enclave host: the image of one touch.
///
/// The driver's host has turned it upright with dark ridges. The enclave's host overwrites
/// `channel` with the number of the socket that it came through, so that a driver cannot speak for
/// another.
package struct SensorFrame: CaptureMessage {
  package static var number: UInt8 { 240 }

  package let channel: UInt32
  /// The capture the core asked for.
  package let session: UInt64
  /// Pixels in a row, 1…4096.
  package let width: UInt32
  /// Rows, 1…4096.
  package let height: UInt32
  /// Pixels per inch, 100…2000.
  package let pixelsPerInch: UInt32
  /// The columns of each row in which the sensor could see skin, or nil if its driver does not say.
  package let extents: [Range<Int>]?
  /// `width * height` gray values, row by row, 0 = black = ridge.
  package let pixels: [UInt8]

  /// The largest side of a frame, `AC_FRAME_MAX_SIDE`.
  package static var maximumSide: UInt32 { 4096 }

  package init(
    channel: UInt32 = 0, session: UInt64, width: UInt32, height: UInt32, pixelsPerInch: UInt32,
    extents: [Range<Int>]? = nil, pixels: [UInt8]
  ) {
    self.channel = channel
    self.session = session
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.extents = extents
    self.pixels = pixels
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    writeHead(into: &encoder)
    encoder.writeBytes(pixels)
  }

  /// The whole message, with pixels that `body` writes instead of the frame's own.
  package borrowing func encoded(
    pixelCount: Int, _ body: (inout MutableSpan<UInt8>) -> Void
  ) -> SecretBytes {
    var encoder = WireEncoder(capacity: pixelCount + 4 * (extents?.count ?? 0) + 64)
    encoder.writeByte(Self.number)
    writeHead(into: &encoder)
    encoder.writeBytes(count: pixelCount, body)
    return encoder.finish()
  }

  private borrowing func writeHead(into encoder: inout WireEncoder) {
    encoder.write(channel, session, width, height, pixelsPerInch)
    encoder.writeOptional(extents) { encoder, extents in
      encoder.writeArray(extents) { $0.writeUInt32(Self.packed($1)) }
    }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (channel, session, width, height, pixelsPerInch) = try decoder.read()
    guard 1...Self.maximumSide ~= width, 1...Self.maximumSide ~= height else {
      throw .invalidValue(field: "frame size")
    }
    guard 100...2000 ~= pixelsPerInch else { throw .invalidValue(field: "frame resolution") }
    let (columns, rows) = (Int(width), Int(height))
    extents = try decoder.readOptional { (decoder) throws(DecodeError) in
      let extents = try decoder.readArray(limit: rows, elementSize: 4) {
        (decoder) throws(DecodeError) in
        try Self.extent(decoder.readUInt32(), width: columns)
      }
      guard extents.count == rows else { throw .invalidValue(field: "frame extents") }
      return extents
    }
    pixels = try decoder.readBytes(limit: columns * rows)
    guard pixels.count == columns * rows else { throw .invalidValue(field: "frame pixels") }
  }

  /// The first column in the upper half, the one after the last in the lower; both are at most
  /// ``maximumSide``.
  private static func packed(_ extent: Range<Int>) -> UInt32 {
    UInt32(extent.lowerBound) << 16 | UInt32(extent.upperBound)
  }

  private static func extent(_ packed: UInt32, width: Int) throws(DecodeError) -> Range<Int> {
    let (first, end) = (Int(packed >> 16), Int(packed & 0xffff))
    guard first <= end, end <= width else { throw .invalidValue(field: "frame extent") }
    return first..<end
  }
}
