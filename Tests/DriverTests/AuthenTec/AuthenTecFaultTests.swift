import AuthcoreABI
import Testing

@Suite("X3: the driver authentec and a device that halts; every call is in ReaderFaultTests")
struct AuthenTecFaultTests {
  @Test(
    "a device that halts for ever is a failure every time",
    arguments: ["chip=0x5731,hold=100", "delay=0,rows=71,step=11"])
  func haltsForEver(settings: String) throws {
    let faults = (12...60).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "authentec", settings: settings + "," + faults).run()
    #expect(run.opening != nil || run.statuses == [AC_ERR_STALL, AC_ERR_STALL])
  }
}
