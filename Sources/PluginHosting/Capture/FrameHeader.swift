import Wire

/// What a driver says about a frame, and how its pixels become a message: upright, ridges dark. Pure.
struct FrameHeader: Equatable, Sendable {
  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32
  /// `AC_FRAME_…`
  let flags: UInt32

  private var isInverted: Bool { flags & 1 != 0 }
  private var isMirrored: Bool { flags & 2 != 0 }
  private var isUpsideDown: Bool { flags & 4 != 0 }

  /// Why the frame is not taken, or nil.
  func objection(pixelCount: Int) -> String? {
    let limit = SensorFrame.maximumSide
    guard 1...limit ~= width, 1...limit ~= height else {
      return "it is \(width) by \(height) pixels; a side has 1 to \(limit)"
    }
    guard 100...2000 ~= pixelsPerInch else {
      return "its resolution is \(pixelsPerInch) pixels per inch, not 100 to 2000"
    }
    guard pixelCount == Int(width) * Int(height) else {
      return "\(width) by \(height) pixels are \(Int(width) * Int(height)); it has \(pixelCount)"
    }
    guard flags & ~7 == 0 else { return "its flags are \(flags)" }
    return nil
  }

  /// The whole message for the frame socket. There must be no objection.
  func message(session: UInt64, pixels: Span<UInt8>) -> SecretBytes {
    let upright = upright(pixels)
    var encoder = WireEncoder(capacity: upright.count + 64)
    encoder.writeByte(SensorFrame.number)
    encoder.writeUInt32(0)
    encoder.writeUInt64(session)
    encoder.writeUInt32(width)
    encoder.writeUInt32(height)
    encoder.writeUInt32(pixelsPerInch)
    encoder.writeBytes(upright.bytes)
    return encoder.finish()
  }

  /// The pixels as a person would look at them.
  func upright(_ pixels: Span<UInt8>) -> SecretBytes {
    let columns = Int(width)
    let rows = Int(height)
    let mask: UInt8 = isInverted ? 0xff : 0
    var result = SecretBytes(count: pixels.count)
    unsafe result.withUnsafeMutableBytes { target in
      for row in 0..<rows {
        let source = (isUpsideDown ? rows - 1 - row : row) * columns
        for column in 0..<columns {
          let from = source + (isMirrored ? columns - 1 - column : column)
          unsafe target[row * columns + column] = pixels[from] ^ mask
        }
      }
    }
    return result
  }
}
