import Testing
import Wire

@testable import Sandbox

@Suite("What a sandbox reports")
struct SandboxReportTests {
  @Test("a report survives the way", arguments: Confinement.allCases)
  func roundTrip(confinement: Confinement) throws {
    var report = SandboxReport(confinement)
    report.seccomp = true
    report.landlockVersion = 2
    report.noNewPrivileges = true
    report.lacks = ["memory for secrets could not be locked"]
    var encoder = WireEncoder()
    report.encode(into: &encoder)
    let bytes = encoder.finish()
    var decoder = WireDecoder(bytes.bytes)
    #expect(try SandboxReport(from: &decoder) == report)
    #expect(report.isOn == (confinement != .off))
  }

  @Test("each version of Landlock is asked for the rights it knows and no others")
  func handledRights() {
    #expect(FileRights.handled(byVersion: 1).rawValue == (1 << 13) - 1)
    #expect(FileRights.handled(byVersion: 2).rawValue == (1 << 14) - 1)
    #expect(!FileRights.handled(byVersion: 2).contains(.truncate))
    #expect(FileRights.handled(byVersion: 3).contains(.truncate))
    #expect(!FileRights.handled(byVersion: 4).contains(.controlDevice))
    #expect(FileRights.handled(byVersion: 7).contains(.controlDevice))
  }

  @Test("a service is privileged, a person's process is not")
  func privilege() {
    #expect(ProcessPrivilege.current(isService: true) == .privileged)
    #expect(ProcessPrivilege.current(isService: false) == .ordinary)
  }
}

@Suite("Waiting for another thread")
struct MonitorTests {
  @Test("a waiter gets what another thread leaves")
  func handOver() {
    let box = Monitor<Int?>(nil)
    SystemThread.start(name: "giver") { box.withLock { $0 = 7 } }
    #expect(box.wait { $0.take() } == 7)
  }

  @Test("a wait with a deadline in the past asks once and gives up")
  func deadline() {
    let box = Monitor<Int?>(nil)
    #expect(box.wait(nanoseconds: 0) { $0 } == nil)
    box.withLock { $0 = 1 }
    #expect(box.wait(nanoseconds: 0) { $0 } == 1)
    #expect(Deadline(milliseconds: 0).remainingMilliseconds == 0)
    #expect(Deadline(milliseconds: -1).remainingMilliseconds == -1)
    #expect(Deadline(milliseconds: Int32.max).remainingMilliseconds > 1 << 30)
  }

  @Test("a wait beyond all time does not overflow")
  func forEver() {
    let box = Monitor(true)
    #expect(box.wait(nanoseconds: .max) { $0 ? 1 : nil } == 1)
  }
}
