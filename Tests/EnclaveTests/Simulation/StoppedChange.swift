import Protocol
import Testing

/// Stops a change to a device at its first, second, … step, until it is not stopped any more, and
/// expects after each restart what was before or what the whole change makes. Gives how often it was
/// stopped.
///
/// `device` makes a device as it is before, each time another one; `stop` has the change stop after
/// so many steps; `observe` looks at a device that has restarted.
func expectOldOrNew<Observation: Equatable>(
  _ device: () throws -> SimulatedDevice, before: Observation, after: Observation,
  stop: (SimulatedDevice, Int) -> Void, observe: (SimulatedDevice) throws -> Observation,
  _ change: (SimulatedDevice) throws -> Void
) throws -> Int {
  var stops = 0
  while true {
    let stopped = try device()
    stop(stopped, stops)
    var isStopped = false
    do { try change(stopped) } catch is Failure { isStopped = true }
    stopped.restart()
    let found = try observe(stopped)
    #expect(found == before || found == after, "stopped at step \(stops): \(found)")
    guard isStopped else {
      #expect(found == after)
      return stops
    }
    stops += 1
    try #require(stops < 500, "it never comes to its end")
  }
}

extension SimulatedDevice {
  /// Unlocks the device where it has a passcode.
  /// - Returns: which passcodes are right, of the first one and that which changes replace it by.
  func unlockWithRightPasscodes() throws -> [String] {
    guard try status.isPasscodeSet else { return [] }
    let right = try [Self.passcode, "rose 7"].filter { try refusal(of: $0) == nil }
    try givePasscode(#require(right.first), unlocking: true)
    return right
  }
}
