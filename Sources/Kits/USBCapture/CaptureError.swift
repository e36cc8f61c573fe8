/// Why a capture cannot be read.
package struct CaptureError: Error, Equatable, Sendable {
  /// The last packet that was read, counted from 1; 0 before the first.
  package let packet: Int
  /// A sentence without a full stop.
  package let reason: String

  package init(packet: Int, reason: String) {
    self.packet = packet
    self.reason = reason
  }
}
