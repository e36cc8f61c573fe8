/// Commands and their answers, which wait for no finger.
extension USBDevice {
  /// Makes a transfer for which the device needs no finger: a halted endpoint is readied for the next
  /// one, and silence is a failure that says what the device was asked for.
  public func exchange<Result>(
    over endpoint: USBEndpoint, for purpose: @autoclosure () -> String,
    _ transfer: () throws(SensorFailure) -> Result
  ) throws(SensorFailure) -> Result {
    do throws(SensorFailure) {
      return try transfer()
    } catch {
      if error.code == .stall { try clearHalt(endpoint) }
      guard error.code == .timeout else { throw error }
      throw SensorFailure(
        .inputOutput,
        "The reader does not answer when asked for \(purpose()); unplug it and plug it in again")
    }
  }

  /// Sends a command, for which the device needs no finger.
  public func send(
    _ command: [UInt8], to endpoint: USBEndpoint, deadline: Duration,
    for purpose: @autoclosure () -> String
  ) throws(SensorFailure) {
    try exchange(over: endpoint, for: purpose()) { () throws(SensorFailure) in
      try write(command, to: endpoint, deadline: deadline)
    }
  }

  /// Reads until bytes come that count, at most until `clock` says `end`. Some devices announce those
  /// by others.
  ///
  /// - Throws: ``SensorFailure/Code/timeout``, after which the wait can be taken up again.
  public func read(
    from endpoint: USBEndpoint, length: Int, until end: Duration, on clock: HostClock,
    where counts: ([UInt8]) -> Bool
  ) throws(SensorFailure) -> [UInt8] {
    for _ in 0..<64 {
      let left = max(.zero, end - clock.now())
      let bytes = try read(from: endpoint, length: length, deadline: left)
      if counts(bytes) { return bytes }
    }
    throw SensorFailure(
      .protocolViolation, "The reader sends no answer that counts; unplug it and plug it in again")
  }
}
