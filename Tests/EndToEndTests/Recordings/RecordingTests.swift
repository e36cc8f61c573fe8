import Foundation
import TestSupport
import Testing

@Suite("Recordings of real readers, played by umockdev", .timeLimit(.minutes(15)), .serialized)
struct RecordingTests {
  private static let drivers = Result {
    try run("authcore", ["--json", "driver", "list"]).json["drivers"]?.array ?? []
  }

  @Test(
    "X4: the driver gives the recorded picture pixel by pixel",
    .enabled(if: !RecordedReader.all.isEmpty, "needs AUTHCORE_SHARED/recordings"),
    arguments: RecordedReader.all)
  func picture(reader: RecordedReader) throws {
    guard let driver = try reader.driver(among: try Self.drivers.get()) else {
      return try note(reader, "none")
    }
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("out.pgm")
    let capture = try run(
      "/usr/bin/umockdev-run",
      try reader.simulation() + ["--", Products.program("authcore"), "--driver", driver]
        + ["--timeout", "60", "sensor", "capture", target.path],
      // umockdev puts sockets there, whose paths have room for 107 bytes (unix(7)).
      environment: ["AUTHCORE_SANDBOX": "off", "TMPDIR": "/tmp"])
    #expect(capture.status == 0, "\(capture.account)")
    let taken = try Picture(pgm: target)
    let expected = try Picture(png: reader.picture)
    #expect(taken.width == expected.width && taken.height == expected.height)
    let different = zip(taken.pixels, expected.pixels).filter(!=).count
    #expect(different == 0, "\(different) of \(expected.pixels.count) pixels differ")
    guard taken == expected else { return }
    try note(reader, "\(driver.prefix { $0 != ":" }) \(taken.width) \(taken.height)")
  }

  @Test(
    "X4: the same from the recording alone, named on the command line; the driver knows its device",
    .enabled(if: !RecordedReader.all.isEmpty, "needs AUTHCORE_SHARED/recordings"),
    arguments: RecordedReader.all.filter { $0.way == .native })
  func recording(reader: RecordedReader) throws {
    guard let driver = try reader.driver(among: try Self.drivers.get()) else { return }
    let folder = try TemporaryFolder()
    let target = folder.url.appendingPathComponent("out.pgm")
    let separator = driver.contains(":") ? "," : ":"
    let capture = try run(
      "authcore",
      [
        "--driver", driver + separator + "device=" + (try reader.device()), "sensor", "capture",
        target.path,
      ])
    #expect(capture.status == 0, "\(capture.account)")
    #expect(try Picture(pgm: target) == Picture(png: reader.picture), "\(capture.account)")
  }

  /// What `scripts/make-device-table` makes its table of.
  private func note(_ reader: RecordedReader, _ result: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["AUTHCORE_RESULTS"] else { return }
    let line = "\(reader.name) \(reader.way.rawValue) \(try reader.model()) \(result)\n"
    let file = URL(fileURLWithPath: folder)
      .appendingPathComponent("\(reader.name)-\(reader.way.rawValue)")
    try line.write(to: file, atomically: true, encoding: .utf8)
  }
}
