/// The upper reference of the A/D converter, which follows the ridges of a swipe.
package struct GainControl: Equatable, Sendable {
  /// The value for register 91.
  package private(set) var reference: UInt8 = 0x58

  package init() {}

  /// Takes a stripe's number of ridge pixels into account, from the next request on.
  package mutating func note(ridgePixels: Int) {
    if ridgePixels < 700 {
      reference = max(0x28, reference - 8)
    } else if ridgePixels > 1000 {
      reference = min(0x58, reference + 8)
    }
  }
}
