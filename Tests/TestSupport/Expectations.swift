import Foundation
import Synchronization
package import Testing

/// Waits until something holds that another process brings about.
/// - Returns: whether it did within five minutes, which only a hang takes.
package func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while try !holds() {
    guard ContinuousClock.now < end else { return false }
    usleep(5000)
  }
  return true
}

extension Sequence<UInt8> {
  /// Two small digits for each byte.
  package var hexDigits: [String] { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } }
}

extension Trait where Self == ConditionTrait {
  /// Testing's condition of the same name, whose reason is also printed when the run ends. (A literal
  /// prefers `String` to Testing's `Comment`.)
  package static func enabled(
    if condition: @autoclosure @escaping @Sendable () throws -> Bool, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    enabled(Comment(rawValue: reason), sourceLocation: sourceLocation) {
      let isMet = try condition()
      if !isMet { SkippedTests.note(reason) }
      return isMet
    }
  }
}

/// Why tests were skipped in this run.
private enum SkippedTests {
  private static let reasons = Mutex<Set<String>>([])

  static func note(_ reason: String) {
    reasons.withLock {
      if $0.isEmpty { atexit { SkippedTests.tell() } }
      $0.insert(reason)
    }
  }

  private static func tell() {
    let list = reasons.withLock { $0.sorted().joined(separator: "; ") }
    print("Skipped: \(list)")
  }
}
