import AuthcoreABI
import FingerprintMatching
import TestSupport
import Testing

/// The tape that the guided session plays, judged by the project's own matcher.
@Suite("The built-in tape")
struct BuiltInTapeTests {
  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.replay()
  }

  @Test(
    "five touches enroll the owner, the sixth is refused, the last six are accepted, and then it ends"
  )
  func story() throws {
    let touches = try play([])
    #expect(touches.count == 12)
    var enrollment = Enrollment()
    for (number, touch) in touches.prefix(5).enumerated() {
      guard case .accepted = enrollment.add(touch) else {
        Issue.record("touch \(number + 1) was not usable")
        continue
      }
    }
    let template = try #require(enrollment.template())
    let matcher = PrintMatcher()
    let accepted = touches.dropFirst(5).map {
      matcher.score(probe: $0, against: template) >= PrintMatcher.threshold
    }
    #expect(accepted == [false, true, true, true, true, true, true])
  }

  @Test("it is the same each time, and another seed is other people")
  func seeds() throws {
    try TestHost.run { _ in
      let first = try driver.open().capture()
      #expect(try driver.open().capture() == first)
      #expect(try driver.open([.number("seed", 2)]).capture() != first)
    }
  }

  @Test("a seed together with a tape is refused")
  func seedWithTape() throws {
    let folder = try TemporaryFolder()
    let tape = try folder.write("a.tape", "authcore-tape 1\n")
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try driver.open([.file("tape", tape), .number("seed", 1)])
      }
      #expect(failure.status == AC_ERR_OPTION)
    }
  }

  private func play(_ options: [TestOption]) throws -> [PrintFeatures] {
    try TestHost.run { host in
      let sensor = try driver.open(options)
      let extractor = FeatureExtractor()
      var touches: [PrintFeatures] = []
      while case .success(let frame) = sensor.capture() {
        let image = try FingerprintImage(
          width: frame.width, height: frame.height, pixelsPerInch: frame.pixelsPerInch,
          pixels: frame.pixels)
        touches.append(extractor.features(of: image))
        try #require(touches.count < 100)
      }
      #expect(host.message.contains("has ended"))
      return touches
    }
  }
}
