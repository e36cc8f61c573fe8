import AuthcoreABI
import SensorKit
import TestSupport
import Testing

/// usb/1 with Swift types, against the simulated device.
@Suite("A Swift driver that talks USB")
struct USBDeviceTests {
  @Test("frames come out bit by bit, though the finger takes its time and the device chatters")
  func frames() throws {
    try withSensor("delay=400,chatter=2") { sensor, _ in
      for touch in 1...3 {
        #expect(sensor.capture(milliseconds: 5000) == .success(TemplateDevice.frame(touch: touch)))
      }
    }
  }

  @Test("a recording of the same traffic plays for it too")
  func recording() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.usb", TemplateDevice.recording(TemplateDevice.traffic(touch: 4)))
    try TestHost.run { _ in
      let device = try LoadedTransport.recording(file)
      let sensor = try LoadedDriver.probe().open([.text("behavior", "press")])
      #expect(sensor.capture() == .success(TemplateDevice.frame(touch: 4)))
      withExtendedLifetime(device) {}
    }
  }

  @Test("unplugged at any call, it is gone with a message that says what to do", arguments: 1...36)
  func unplugged(call: Int) throws {
    do {
      try withSensor("fault=gone@\(call)") { sensor, host in
        let statuses = (1...4).map { _ in sensor.captureStatus() }
        let gone = statuses.firstIndex(of: AC_ERR_GONE) ?? statuses.count
        #expect(statuses[..<gone].allSatisfy { $0 == AC_OK }, "\(statuses)")
        #expect(statuses[gone...].allSatisfy { $0 == AC_ERR_GONE }, "\(statuses)")
        #expect(gone < statuses.count || call > 35)
        #expect(gone == statuses.count || host.message.contains("plug it in again"))
      }
    } catch let failure as LoadedDriver.Failure {
      #expect(failure.status == AC_ERR_GONE)
      #expect(call <= 2)
    }
  }

  @Test("a halted image endpoint costs one touch")
  func stall() throws {
    try withSensor("fault=stall@8") { sensor, _ in
      #expect(sensor.captureStatus() == AC_RETRY_GENERAL)
      #expect(sensor.capture() == .success(TemplateDevice.frame(touch: 2)))
    }
  }

  @Test("an interrupt ends a transfer that blocks, and only one capture reports it")
  func interrupt() throws {
    try withSensor("delay=60000") { sensor, host in
      let start = host.clock.now
      host.clock.after(milliseconds: 500) { sensor.interrupt() }
      #expect(sensor.captureStatus(milliseconds: 30_000) == AC_ERR_INTERRUPTED)
      #expect(host.clock.now - start <= 600_000_000)
      #expect(sensor.captureStatus(milliseconds: 61_000) == AC_OK)
    }
  }

  @Test(
    "an interrupt between captures ends the next one alone, though flag and transport both hear of it"
  )
  func interruptBetween() throws {
    try withSensor("") { sensor, _ in
      #expect(sensor.captureStatus() == AC_OK)
      sensor.interrupt()
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(sensor.captureStatus() == AC_OK)
    }
  }

  @Test("no touch is a timeout after the time the host gave")
  func timeout() throws {
    try withSensor("touches=0") { sensor, host in
      let start = host.clock.now
      #expect(sensor.captureStatus(milliseconds: 1500) == AC_ERR_TIMEOUT)
      #expect(host.clock.now - start == 1_500_000_000)
    }
  }

  private func withSensor(
    _ device: String, _ body: (LoadedSensor, TestHost) throws -> Void
  ) throws {
    try TestHost.run { host in
      let transport = try LoadedTransport.simulated(model: "press", device)
      try body(LoadedDriver.probe().open([.text("behavior", "press")]), host)
      withExtendedLifetime(transport) {}
    }
  }
}
