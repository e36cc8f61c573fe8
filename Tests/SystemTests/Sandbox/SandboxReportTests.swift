import CSystemCalls
import Glibc
import LinuxSystem
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

@Suite("X3: the files that a driver opens while it is loaded are noticed")
struct OpeningListenerTests {
  @Test("each file is noticed before the process that opened it goes on", .timeLimit(.minutes(60)))
  func noticedBeforeItGoesOn() {
    let count = 300
    let late = Guarded<Int?>(nil)
    SystemThread.start(name: "opens") { late.update { $0 = Self.filesNoticedLate(of: count) } }
    let result = late.wait { $0 }
    #expect(result == 0, "\(result) of \(count) were noticed after they had been opened")
  }

  @Test(
    "the listener is told when no process is left that could open a file", .timeLimit(.minutes(60)))
  func endOfListening() {
    let listening = Guarded<OpeningListener?>(nil)
    let noticed = Guarded<Int?>(nil)
    SystemThread.start(name: "ends") {
      _ = ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
      guard let listener = try? OpeningListener() else { return noticed.update { $0 = -1 } }
      listening.update { $0 = listener }
      _ = unsafe open("there-is-no-file", O_RDONLY)
    }
    SystemThread.start(name: "hears the end") {
      let listener = listening.wait { $0.take() }
      var count = 0
      while listener.next({ _ in count += 1 }) {}
      noticed.update { $0 = count }
    }
    #expect((noticed.wait { $0 }) >= 1)
  }

  /// On a thread of its own, which the filter stays with.
  private static func filesNoticedLate(of count: Int) -> Int {
    let paths = Guarded<[[UInt8]]>([])
    let listening = Guarded<OpeningListener?>(nil)
    SystemThread.start(name: "notices") {
      let listener = listening.wait { $0.take() }
      while listener.next({ path in paths.update { $0.append(path) } }) {}
    }
    _ = ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
    guard let listener = try? OpeningListener() else { return count }
    listening.update { $0 = listener }
    var late = 0
    for number in 1...count {
      _ = unsafe open("there-is-no-file-\(number)", O_RDONLY)
      let expected = Array("there-is-no-file-\(number)".utf8)
      if paths.read({ $0.last }) != expected { late += 1 }
    }
    return late
  }
}
