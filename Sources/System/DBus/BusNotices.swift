import CSystemd

/// Signals of a bus that match a rule: that some have come, and no more. One thread at a time, with
/// the bus.
@safe package final class BusNotices {
  private let bus: BusConnection
  private let notices: OpaquePointer

  /// Notices what comes from here on.
  /// - Parameters:
  ///   - bus: the connection, which nobody else waits on.
  ///   - rule: as D-Bus writes match rules.
  /// - Throws: where the bus does not take it.
  package init(of bus: BusConnection, matching rule: String) throws(BusError) {
    self.bus = bus
    unsafe notices = try bus.notice(rule)
  }

  /// Waits for one.
  /// - Returns: whether some came in time.
  package func wait(microseconds: UInt64) throws(BusError) -> Bool {
    unsafe try bus.awaitNotice(notices, microseconds: microseconds)
  }

  deinit { unsafe ac_bus_end_notices(notices) }
}
