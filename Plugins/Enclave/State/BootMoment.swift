import Protocol

extension BootMoment {
  /// Nanoseconds from this moment to `now`. Nil where nobody can say: in another boot, and where the
  /// clock of the same boot went back, as that of a virtual machine does which is put back to a
  /// snapshot.
  func elapsed(until now: BootMoment) -> UInt64? {
    guard boot == now.boot, time <= now.time else { return nil }
    return now.time - time
  }

  /// Nil for a moment of a boot without a name: another process cannot tell whether it is the same.
  static func decode(from decoder: inout WireDecoder) throws(DecodeError) -> BootMoment? {
    let moment: BootMoment = try decoder.read()
    return moment.boot.isEmpty ? nil : moment
  }
}
