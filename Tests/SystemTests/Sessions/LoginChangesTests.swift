import LinuxSystem
import TestSupport
import Testing

@testable import DBus

@Suite("What changes at logind")
struct LoginChangesTests {
  /// Long enough that only a signal can be why it is called.
  private static let never: UInt64 = 3_600_000_000

  @Test(
    "whoever watches is called when a session changes, and the thread ends with the last one",
    .enabled(if: PrivateLogind.isInstalled))
  func signals() throws {
    let logind = try PrivateLogind()
    try logind.addSession("c1", user: 1000, isActive: true)
    let changes = LoginChanges(at: logind.address, intervalMicroseconds: Self.never)
    let calls = Guarded(0)
    let watch = changes.watch { _ in calls.update { $0 += 1 } }
    // The first call says that it watches.
    calls.wait { $0 >= 1 ? () : nil }
    try logind.change(session: "c1", "Active", to: false)
    calls.wait { $0 >= 2 ? () : nil }
    changes.end(watch)
    try logind.change(session: "c1", "Active", to: true)
    changes.waitUntilQuiet()
  }

  @Test("without a bus it calls at intervals, so that what is not known is noticed")
  func withoutBus() {
    let changes = LoginChanges(at: .at("unix:path=/nowhere/bus"), intervalMicroseconds: 1000)
    let calls = Guarded(0)
    let watch = changes.watch { _ in calls.update { $0 += 1 } }
    calls.wait { $0 >= 3 ? () : nil }
    changes.end(watch)
    changes.waitUntilQuiet()
    let again = changes.watch { _ in calls.update { $0 = -1 } }
    calls.wait { $0 == -1 ? () : nil }
    changes.end(again)
    changes.waitUntilQuiet()
  }
}
