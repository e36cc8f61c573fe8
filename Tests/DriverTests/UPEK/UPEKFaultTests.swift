import AuthcoreABI
import Testing

@Suite(
  "X3: the driver upek and a device that halts or garbles for ever; every call is in ReaderFaultTests"
)
struct UPEKFaultTests {
  @Test("a device that halts for ever is a failure in the end")
  func haltsForEver() throws {
    let settings = (20...300).map { "fault=stall@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "upek", settings: settings, captures: 3).run()
    #expect(run.statuses == [AC_RETRY_GENERAL, AC_RETRY_GENERAL, AC_ERR_STALL])
    #expect(run.messages.allSatisfy { $0.contains("again and again") })
  }

  @Test("bytes that are wrong again and again while it is opened are a failure, with the way out")
  func garbageWhileOpening() throws {
    let settings = (1...200).map { "fault=garbage@\($0)" }.joined(separator: ",")
    let run = try FaultSweep(driver: "upek", settings: settings).run()
    #expect(run.statuses == [AC_ERR_PROTOCOL])
    #expect(run.opening?.message.contains("unplug it") == true)
  }
}
