/// What the two press chips differ in.
package struct PressChip: Sendable {
  /// Pixels of a side.
  package let side: Int
  /// How many times libfprint enlarges the image, and so do we: prints and recordings are of that
  /// size.
  let factor: Int
  /// Pixels per inch of the sensor itself.
  let pixelsPerInch: Int
  /// Bytes of the message that has the image.
  package let messageLength: Int
  /// Registers 94 and 96: the last group of rows and of columns.
  let lastRows: UInt8
  let lastColumns: UInt8

  /// The ridges of the recorded finger lie 9.8 pixels apart, as they do at 500 ppi.
  package static let aes3500 = PressChip(
    side: 128, factor: 2, pixelsPerInch: 500, messageLength: 8329, lastRows: 0x07,
    lastColumns: 0x1F)

  /// There is no recording; the chip is known as one of 250 ppi, 96 pixels on not quite a
  /// centimeter.
  package static let aes4000 = PressChip(
    side: 96, factor: 3, pixelsPerInch: 250, messageLength: 4697, lastRows: 0x05,
    lastColumns: 0x18)

  /// Stripes of 16 rows.
  var stripes: Int { side / 16 }
  /// Bytes of a stripe, its header included.
  var stripeLength: Int { 1 + side * 8 }
}
