import AuthcoreABI
import Testing

/// The driver as built, against its simulated device.
@Suite("X3: the U.are.U 4000 driver works without its device")
struct URU4000DriverTests {
  private let driver: LoadedDriver

  init() throws {
    driver = try LoadedDriver.built("uru4000")
  }

  @Test("it describes its devices")
  func description() throws {
    let facts = unsafe driver.facts
    #expect(unsafe String(cString: facts.name) == "uru4000")
    #expect(unsafe [facts.width_px, facts.height_px, facts.ppi] == [384, 290, 500])
    let matches = unsafe UnsafeBufferPointer(
      start: facts.usb_matches, count: Int(facts.usb_match_count))
    #expect(
      unsafe matches.map { UInt32($0.vendor_id) << 16 | UInt32($0.product_id) } == [
        0x045E_00BB, 0x045E_00BC, 0x045E_00BD, 0x045E_00CA, 0x05BA_0007, 0x05BA_0008, 0x05BA_000A,
      ])
    driver.closeNothing()
  }

  @Test("touch after touch comes out, though the finger takes its time; and each lift is awaited")
  func touches() throws {
    try withSensor("uru4000", "delay=700,lift=600") { sensor, host in
      let start = host.clock.now
      let frames = try (1...3).map { _ in try sensor.capture(milliseconds: 5000).get() }
      for frame in frames {
        #expect([frame.width, frame.height, frame.pixelsPerInch] == [384, 290, 500])
        #expect(frame.flags == 7)
      }
      #expect(frames[0] != frames[1] && frames[1] != frames[2])
      #expect(host.clock.now - start >= (3 * 700 + 2 * 600) * 1_000_000)
    }
  }

  @Test("a finger that comes while the reader has no room for its message is asked for again")
  func fullQueue() throws {
    try withSensor("uru4000", "delay=1") { sensor, _ in
      // As the host does to see whether a finger lies on the reader already.
      #expect(sensor.captureStatus(milliseconds: 0) == AC_ERR_TIMEOUT)
      #expect(sensor.captureStatus() == AC_OK)
    }
  }

  @Test(
    "an encrypted image comes out as a plain one does, also when the key changes within it",
    arguments: ["", "rekey=1,"])
  func encryption(rekey: String) throws {
    func frame(_ settings: String) throws -> [UInt8] {
      try TestHost.run { _ in
        let device = try LoadedTransport.simulated(model: "uru4000", settings)
        defer { withExtendedLifetime(device) {} }
        return try driver.open().capture().get().pixels
      }
    }
    let plain = try frame(rekey + "encrypted=0")
    let decrypted = try frame(rekey + "encrypted=1")
    // The last pixel of an encrypted block is lost.
    let differing = plain.indices.filter { plain[$0] != decrypted[$0] }
    #expect(differing.allSatisfy { $0 % 384 == 383 && decrypted[$0] == 0 })
    #expect(differing.count <= 5)
    #expect(Set(plain).count > 50)
  }

  @Test(
    "every product of the family wakes up and is read",
    arguments: [0xBB, 0xBC, 0xBD, 0xCA, 0x07, 0x08, 0x0A], [0, 1])
  func products(product: Int, confused: Int) throws {
    try withSensor("uru4000", "model=\(product),confused=\(confused)") { sensor, _ in
      let frame = try sensor.capture().get()
      #expect(frame.flags == (product == 0x0A ? 7 : 1))
    }
  }

  @Test(
    "a reader whose scanner takes three attempts to get power is woken; one that needs four is not")
  func deafness() throws {
    for (deaf, opens) in [(2, true), (3, false)] {
      try TestHost.run { host in
        let device = try LoadedTransport.simulated(model: "uru4000", "deaf=\(deaf)")
        do {
          let sensor = try driver.open()
          #expect(opens)
          #expect(sensor.captureStatus() == AC_OK)
        } catch let failure as LoadedDriver.Failure {
          #expect(!opens)
          #expect(failure.status == AC_ERR_IO)
          #expect(failure.message.contains("plug it in again"))
        }
        withExtendedLifetime(device) {}
      }
    }
  }

  @Test("a scan that dies is a retry, and the next touch is read")
  func death() throws {
    try withSensor("uru4000", "death=2,delay=300,lift=300") { sensor, host in
      let statuses = (1...4).map { _ in sensor.captureStatus() }
      #expect(statuses == [AC_OK, AC_RETRY_GENERAL, AC_OK, AC_OK])
      #expect(host.log.contains { $0.contains("A scan failed") })
    }
  }

  @Test("no touch, and a finger that is never lifted, are a timeout after the time the host gave")
  func timeout() throws {
    for (settings, captures) in [("touches=0", 1), ("lift=100000", 2)] {
      try withSensor("uru4000", settings) { sensor, host in
        for _ in 1..<captures { #expect(sensor.captureStatus() == AC_OK) }
        for _ in 1...2 {
          let start = host.clock.now
          #expect(sensor.captureStatus(milliseconds: 2000) == AC_ERR_TIMEOUT)
          #expect(2_000_000_000...2_100_000_000 ~= host.clock.now - start)
        }
      }
    }
  }

  @Test("after a timeout the finger that comes late is read")
  func lateFinger() throws {
    try withSensor("uru4000", "delay=2500,lift=2500") { sensor, _ in
      let statuses = (1...8).map { _ in sensor.captureStatus(milliseconds: 1000) }
      #expect(
        statuses == [
          AC_ERR_TIMEOUT, AC_ERR_TIMEOUT, AC_OK, AC_ERR_TIMEOUT, AC_ERR_TIMEOUT, AC_ERR_TIMEOUT,
          AC_ERR_TIMEOUT, AC_OK,
        ])
    }
  }

  @Test(
    "an interrupt ends a capture within 100 ms, whether it waits for the finger, its lift or the image"
  )
  func interrupt() throws {
    for (settings, captures, time) in [
      ("delay=60000", 0, 1000), ("lift=60000", 1, 1000), ("delay=500", 0, 560),
    ] {
      try withSensor("uru4000", settings) { sensor, host in
        for _ in 0..<captures { #expect(sensor.captureStatus() == AC_OK) }
        let start = host.clock.now
        host.clock.after(milliseconds: UInt64(time)) { sensor.interrupt() }
        #expect(sensor.captureStatus(milliseconds: 30_000) == AC_ERR_INTERRUPTED)
        #expect(host.clock.now - start <= UInt64(time + 100) * 1_000_000)
        #expect(sensor.captureStatus(milliseconds: 120_000) == AC_OK)
      }
    }
  }

  @Test("a seed beyond 32 bits is refused")
  func seed() throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "uru4000", "touches=1")
      for value in [-1, 0x1_0000_0000] as [Int64] {
        let failure = #expect(throws: LoadedDriver.Failure.self) {
          try driver.open([.number("seed", value)])
        }
        #expect(failure?.status == AC_ERR_OPTION)
      }
      withExtendedLifetime(device) {}
    }
  }

  @Test("another device is refused with the reason")
  func otherDevice() throws {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "press", "touches=1")
      let failure = #expect(throws: LoadedDriver.Failure.self) { try driver.open() }
      #expect(failure?.status == AC_ERR_UNSUPPORTED)
      withExtendedLifetime(device) {}
    }
  }
}
