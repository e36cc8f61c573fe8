import AuthcoreABI
import Testing

@Suite(
  "X3: the driver authentec and a device that halts or is interrupted; every call is in ReaderFaultTests"
)
struct AuthenTecFaultTests {
  @Test("an interrupt in the middle of a swipe is heard within 100 ms")
  func interruptedSwipe() throws {
    try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: "authentec", "delay=0,fault=nak@40")
      let sensor = try LoadedDriver.built("authentec").open()
      let start = host.clock.now
      host.clock.after(milliseconds: 200) { sensor.interrupt() }
      #expect(sensor.captureStatus() == AC_ERR_INTERRUPTED)
      #expect(200_000_000...300_000_000 ~= host.clock.now - start)
      withExtendedLifetime(device) {}
    }
  }

  @Test(
    "a device that halts for ever is a failure every time",
    arguments: ["chip=0x5731,hold=100", "delay=0,rows=71,step=11"])
  func haltsForEver(settings: String) throws {
    let faults = (12...60).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "authentec", settings: settings + "," + faults).run()
    #expect(run.opening != nil || run.statuses == [AC_ERR_STALL, AC_ERR_STALL])
  }
}
