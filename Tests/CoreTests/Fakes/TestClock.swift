import Synchronization

@testable import AuthCore

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000_000)

  /// The clock, as a core reads it.
  var boot: BootClock { BootClock { [self] in nanoseconds.load(ordering: .relaxed) } }

  func advance(seconds: UInt64) {
    nanoseconds.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed)
  }
}
