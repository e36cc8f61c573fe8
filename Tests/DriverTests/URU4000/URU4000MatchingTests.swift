import AuthcoreABI
import FingerprintMatching
import Testing

@Suite("X3: the simulated U.are.U 4500 shows fingers that can be told apart")
struct URU4000MatchingTests {
  @Test("a finger enrolled with its touches is accepted, and another one refused")
  func matching() throws {
    let owner = try touches(finger: 1, first: 1, count: 8)
    var enrollment = Enrollment()
    for touch in owner[..<5] { _ = enrollment.add(touch) }
    #expect(enrollment.usableTouches >= 4)
    let template = try #require(enrollment.template())
    for touch in owner[5...] {
      #expect(PrintMatcher().score(probe: touch, against: template) > 2 * PrintMatcher.threshold)
    }
    for touch in try touches(finger: 2, first: 1, count: 2) {
      #expect(PrintMatcher().score(probe: touch, against: template) < PrintMatcher.threshold)
    }
  }

  /// Features of touches, as the host hands them on.
  private func touches(finger: Int, first: Int, count: Int) throws -> [PrintFeatures] {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(
        model: "uru4000", "finger=\(finger),first=\(first)")
      let sensor = try LoadedDriver.built("uru4000").open()
      defer { withExtendedLifetime(device) {} }
      return try (0..<count).map { _ in
        let frame = try sensor.capture().get()
        let image = try FingerprintImage(
          width: frame.width, height: frame.height, pixelsPerInch: frame.pixelsPerInch,
          pixels: frame.pixels.reversed().map { 255 - $0 })
        return FeatureExtractor().features(of: image)
      }
    }
  }
}
