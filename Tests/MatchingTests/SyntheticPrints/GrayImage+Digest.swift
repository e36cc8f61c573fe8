import GrayImage

extension GrayImage {
  /// FNV-1a, to compare pictures by one number.
  var digest: UInt64 {
    pixels.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
