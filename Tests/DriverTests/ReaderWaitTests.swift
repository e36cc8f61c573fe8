import AuthcoreABI
import Testing

/// A driver and a simulated device to whose finger it waits.
struct WaitingReader: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let driver: String
  /// Nobody comes.
  let idle: String
  /// The finger takes long to come.
  let slow: String
  /// How much later than asked a timeout may be, in milliseconds.
  let tolerance: UInt64
  /// The frame of the finger that was slow; nil: any.
  let frame: (@Sendable () -> CapturedFrame)?

  static let all = [
    WaitingReader(
      testDescription: "nb1010", driver: "nb1010", idle: "touches=0", slow: "delay=60000",
      tolerance: 20, frame: { NB1010DriverTests.frame(touch: 1) }),
    WaitingReader(
      testDescription: "authentec, press", driver: "authentec", idle: "chip=0x5501,touches=0",
      slow: "chip=0x5731,delay=20000", tolerance: 20, frame: nil),
    WaitingReader(
      testDescription: "authentec, swipe", driver: "authentec", idle: "touches=0",
      slow: "delay=20000,rows=120,step=4", tolerance: 30,
      frame: { AuthenTecFrames.swipe(rows: 120, touch: 1) }),
  ]
}

@Suite("X3: drivers wait for a finger as long as they are told")
struct ReaderWaitTests {
  @Test(
    "no finger is a timeout after the time the host gave", arguments: WaitingReader.all,
    [0, 30, 2000])
  func timeout(reader: WaitingReader, milliseconds: UInt32) throws {
    try withSensor(reader.driver, reader.idle) { sensor, host in
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: milliseconds) == AC_ERR_TIMEOUT)
      let wanted = UInt64(milliseconds) * 1_000_000
      #expect(wanted...wanted + reader.tolerance * 1_000_000 ~= host.clock.now - start)
    }
  }

  @Test(
    "an interrupt ends the wait for a finger within 100 ms, and the next capture works",
    arguments: WaitingReader.all)
  func interrupt(reader: WaitingReader) throws {
    try withSensor(reader.driver, reader.slow) { sensor, host in
      let start = host.clock.now
      host.clock.after(milliseconds: 1000) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 30_000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 1_100_000_000)
      let frame = try sensor.capture(milliseconds: 61_000).get()
      #expect(reader.frame.map { frame == $0() } ?? (frame.width > 0))
    }
  }

  @Test(
    "an interrupt in the middle of an image or a swipe is heard within 100 ms",
    arguments: [("nb1010", "fault=nak@100"), ("authentec", "delay=0,fault=nak@40")])
  func interruptedImage(driver: String, settings: String) throws {
    try withSensor(driver, settings) { sensor, host in
      let start = host.clock.now
      host.clock.after(milliseconds: 200) { sensor.interrupt() }
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(200_000_000...300_000_000 ~= host.clock.now - start)
    }
  }

  @Test(
    "another device, and none, are refused with what to do",
    arguments: [("nb1010", "choose another driver"), ("authentec", "driver info authentec")])
  func otherDevice(driver: String, hint: String) throws {
    func failure() throws -> LoadedDriver.Failure {
      try #require(throws: LoadedDriver.Failure.self) {
        _ = try LoadedDriver.built(driver).open()
      }
    }
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(model: "press", "touches=1")
      let other = try failure()
      #expect(other.status == AC_ERR_UNSUPPORTED && other.message.contains(hint))
      withExtendedLifetime(device) {}
    }
    try TestHost.run { _ in
      let none = try failure()
      #expect(none.status == AC_ERR_NOT_FOUND)
    }
  }
}
