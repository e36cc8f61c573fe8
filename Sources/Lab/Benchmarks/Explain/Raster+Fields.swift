import FingerprintMatching

extension Raster {
  /// A field in gray.
  ///
  /// - Parameters:
  ///   - field: The numbers.
  ///   - black: The number shown black; what is beyond is black too.
  ///   - white: The number shown white.
  ///   - fading: How far all grays are moved towards white, 0...1, so that lines stand out.
  init(gray field: SampleField, black: Float, white: Float, fading: Double = 0) {
    self.init(width: field.width, height: field.height) { x, y in
      let level = Double((field[x, y] - black) / (white - black))
      return .gray(min(max(level, 0), 1) * (1 - fading) + fading)
    }
  }

  /// An image of a finger, faded to be drawn upon.
  init(fading print: PrintExplanation, by share: Double = 0.45) {
    self.init(gray: print.working, black: 0, white: 255, fading: share)
  }
}
