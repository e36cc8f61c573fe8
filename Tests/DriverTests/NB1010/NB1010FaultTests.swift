import AuthcoreABI
import Testing

@Suite("X3: the driver nb1010 and a device that halts; every call is in ReaderFaultTests")
struct NB1010FaultTests {
  @Test("a device that halts for ever is a failure in the end")
  func haltsForEver() throws {
    let settings = (1...40).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "nb1010", settings: settings, captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }
}
