import Foundation

/// Waits for what another process is about to do and says nothing of.
/// - Returns: whether it did; only what hangs takes as long as is waited for.
package func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while try !holds() {
    guard ContinuousClock.now < end else { return false }
    usleep(5000)
  }
  return true
}
