import AuthcoreABI
import GrayImage
import TestSupport
import Testing

/// The driver as a host sees it: the built module, through its C table.
@Suite("The replay driver")
struct ReplayDriverTests {
  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.replay()
  }

  @Test("it describes itself as synthetic unless a tape is given")
  func description() throws {
    let facts = unsafe driver.facts
    #expect(unsafe String(cString: facts.name) == "replay")
    #expect(unsafe Int(facts.flags) == AC_SENSOR_SYNTHETIC | AC_SENSOR_READS_FILES)
    #expect(unsafe String(cString: facts.real_option) == "tape")
    #expect(unsafe facts.usb_match_count == 0 && facts.ppi == 500 && facts.width_px == 0)
    let names = unsafe (0..<Int(facts.option_count)).map {
      unsafe String(cString: facts.options[$0].name)
    }
    #expect(names == ["tape", "pace", "hold", "seed"])
  }

  @Test("it delivers the pixels of the pictures on a tape, in order")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let first = GrayImage(width: 3, height: 2, pixels: [0, 50, 100, 150, 200, 250])
    let second = GrayImage(width: 1, height: 1, pixels: [7])
    try folder.write("with space.pgm", first.encodedPGM())
    let absolute = try folder.write("b#2.pgm", second.encodedPGM())
    let tape = try folder.write(
      "a.tape",
      "authcore-tape 1\nppi 363\ntouch with space.pgm # first\nnoise center\ntouch \(absolute)\n")
    try TestHost.run { _ in
      let sensor = try driver.open([.file("tape", tape)])
      #expect(
        sensor.capture()
          == .success(
            .init(width: 3, height: 2, pixelsPerInch: 363, flags: 0, pixels: first.pixels)))
      #expect(sensor.captureStatus() == AC_RETRY_CENTER)
      #expect(
        sensor.capture()
          == .success(.init(width: 1, height: 1, pixelsPerInch: 363, flags: 0, pixels: [7])))
    }
  }

  @Test("the end of a tape is a timeout at once, again and again")
  func end() throws {
    let folder = try TemporaryFolder()
    let tape = try folder.write("a.tape", "authcore-tape 1\n")
    try TestHost.run { host in
      let sensor = try driver.open([.file("tape", tape)])
      let start = host.clock.now
      for _ in 1...2 {
        guard case .failure(let failure) = sensor.capture(milliseconds: 30_000) else {
          Issue.record("a frame came from an empty tape")
          return
        }
        #expect(failure.status == AC_ERR_TIMEOUT)
        #expect(failure.message.contains("\(tape) has ended"))
      }
      #expect(host.clock.now == start)
    }
  }

  @Test("with hold=1 the end of a tape waits for the timeout, and hears an interrupt within 100 ms")
  func hold() throws {
    let folder = try TemporaryFolder()
    let tape = try folder.write("a.tape", "authcore-tape 1\n")
    try TestHost.run { host in
      let sensor = try driver.open([.file("tape", tape), .number("hold", 1)])
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: 3000) == AC_ERR_TIMEOUT)
      #expect(host.clock.now == start + 3_000_000_000)
      host.clock.after(milliseconds: 510) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 3000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 3_610_000_000)
      #expect(sensor.captureStatus(milliseconds: 0) == AC_ERR_TIMEOUT)
    }
  }

  @Test("an interrupt without a capture ends the next one, once, and no touch is lost by it")
  func interruptBeforeCapture() throws {
    let folder = try TemporaryFolder()
    let tape = try writeTape(in: folder, "touch a.pgm\n")
    try TestHost.run { _ in
      let sensor = try driver.open([.file("tape", tape)])
      sensor.interrupt()
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(sensor.captureStatus() == AC_OK)
    }
  }

  @Test("waits take no time, or with pace=1 what they say", arguments: [Int64(0), 1])
  func pace(pace: Int64) throws {
    let folder = try TemporaryFolder()
    let tape = try writeTape(in: folder, "wait 700ms\ntouch a.pgm\nwait 5s\ntouch a.pgm\n")
    try TestHost.run { host in
      let sensor = try driver.open([.file("tape", tape), .number("pace", pace)])
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: 3000) == AC_OK)
      #expect(host.clock.now - start == UInt64(pace) * 700_000_000)
      #expect(sensor.captureStatus(milliseconds: 3000) == AC_ERR_TIMEOUT)
      #expect(sensor.captureStatus(milliseconds: 3000) == AC_OK)
      #expect(host.clock.now - start == UInt64(pace) * 5_700_000_000)
    }
  }

  @Test("an unplugged device is gone for one capture and back for the next")
  func unplug() throws {
    let folder = try TemporaryFolder()
    let tape = try writeTape(in: folder, "unplug\nplug\ntouch a.pgm\nrepeat 1\nunplug\n")
    try TestHost.run { host in
      let sensor = try driver.open([.file("tape", tape)])
      let statuses = (1...5).map { _ in sensor.captureStatus() }
      #expect(statuses == [AC_ERR_GONE, AC_OK, AC_OK, AC_ERR_GONE, AC_ERR_GONE])
      #expect(host.message.contains("unplugged"))
    }
  }

  @Test("a tape starts from its beginning each time it is opened")
  func reopen() throws {
    let folder = try TemporaryFolder()
    let tape = try writeTape(in: folder, "noise lift\ntouch a.pgm\n")
    try TestHost.run { _ in
      for _ in 1...2 {
        let sensor = try driver.open([.file("tape", tape)])
        #expect(sensor.captureStatus() == AC_RETRY_LIFT)
      }
    }
  }

  @Test(
    "a picture that cannot be played is an error with file, line and reason before anything is played",
    arguments: [
      ("missing.pgm", "No such file"),
      ("text.pgm", "not a binary PGM"),
      ("short.pgm", "ends early"),
      ("huge.pgm", "20000x20000"),
      ("lies.pgm", "size lies"),
      (".", "not a regular file"),
    ])
  func badPictures(name: String, reason: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("text.pgm", "hello")
    try folder.write("short.pgm", "P5 4 4 255\n1234")
    try folder.write("huge.pgm", "P5 20000 20000 255\n")
    try folder.write("lies.pgm", Array("P5 1 1 255\n".utf8) + [UInt8](repeating: 1, count: 9000))
    let tape = try writeTape(in: folder, "touch a.pgm\ntouch \(name)\n")
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) {
        _ = try driver.open([.file("tape", tape)])
      }
      #expect(failure.status == AC_ERR_DATA)
      #expect(failure.message.contains("\(tape), line 3: "))
      #expect(failure.message.contains(name) && failure.message.contains(reason))
    }
  }

  @Test("a picture that vanished after the tape was opened is named when its touch comes")
  func vanishedPicture() throws {
    let folder = try TemporaryFolder()
    let tape = try writeTape(in: folder, "touch a.pgm\n")
    try TestHost.run { host in
      let sensor = try driver.open([.file("tape", tape)])
      try folder.write("a.pgm", "P5 2 2 255\n")
      #expect(sensor.captureStatus() == AC_ERR_DATA)
      #expect(host.message.contains("a.pgm"))
    }
  }

  @Test(
    "options out of range, or that do not go together, are refused by name",
    arguments: [[TestOption.number("pace", 2)], [.number("hold", -1)]])
  func badOptions(options: [TestOption]) throws {
    try TestHost.run { _ in
      let failure = try #require(throws: LoadedDriver.Failure.self) { _ = try driver.open(options) }
      #expect(failure.status == AC_ERR_OPTION)
      #expect(failure.message.contains(options[0].name))
    }
  }

  private func writeTape(in folder: borrowing TemporaryFolder, _ lines: String) throws -> String {
    try folder.write("a.pgm", GrayImage(width: 1, height: 1, pixels: [7]).encodedPGM())
    return try folder.write("a.tape", "authcore-tape 1\n" + lines)
  }
}
