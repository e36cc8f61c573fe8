import AuthcoreABI
import Testing

@Suite(
  "X3: the driver nb1010 and a device that halts or is interrupted; every call is in ReaderFaultTests"
)
struct NB1010FaultTests {
  @Test("an interrupt in the middle of an image is heard within 100 ms")
  func interruptedImage() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "nb1010", "fault=nak@100")
      let sensor = try LoadedDriver.built("nb1010").open()
      let start = host.clock.now
      host.clock.after(milliseconds: 200) { sensor.interrupt() }
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(200_000_000...300_000_000 ~= host.clock.now - start)
      withExtendedLifetime(device) {}
    }
  }

  @Test("a device that halts for ever is a failure in the end")
  func haltsForEver() throws {
    let settings = (1...40).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "nb1010", settings: settings, captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }
}
