import Protocol

/// A moment that the processes of one boot agree on; the wall clock has no part in it.
struct BootMoment: Equatable, Sendable {
  /// The kernel's name of the boot; empty where it tells none.
  let boot: [UInt8]
  /// Nanoseconds since it began, suspended time included.
  let time: UInt64

  /// Nanoseconds from this moment to `now`. Nil where nobody can say: in another boot, and where the
  /// clock of the same boot went back, as that of a virtual machine does which is put back to a
  /// snapshot.
  func elapsed(until now: BootMoment) -> UInt64? {
    guard boot == now.boot, time <= now.time else { return nil }
    return now.time - time
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeBytes(boot)
    encoder.writeUInt64(time)
  }

  /// Nil for a moment of a boot without a name: another process cannot tell whether it is the same.
  static func decode(from decoder: inout WireDecoder) throws(DecodeError) -> BootMoment? {
    let moment = BootMoment(
      boot: try decoder.readBytes(limit: 16), time: try decoder.readUInt64())
    return moment.boot.isEmpty ? nil : moment
  }
}
