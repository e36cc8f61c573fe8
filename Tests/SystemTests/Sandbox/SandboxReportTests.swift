import Protocol
import Testing

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
}
