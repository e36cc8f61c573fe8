internal import AuthcoreABI

/// The kernel's random number generator, `random/1`.
@safe public struct RandomSource: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes; fill is [any].
  private let fill: @convention(c) (UnsafeMutablePointer<UInt8>?, Int) -> ac_status_t

  init?(_ service: UnsafePointer<ac_random_service_t>) {
    let table = unsafe service.pointee
    guard
      Int(table.struct_size) >= MemoryLayout<ac_random_service_t>.size,
      let fill = unsafe table.fill
    else { return nil }
    unsafe self.fill = unsafe fill
  }

  /// A number no one can foretell.
  ///
  /// - Throws: ``SensorFailure/Code/inputOutput`` when the kernel refuses.
  public func next() throws(SensorFailure) -> UInt32 {
    var bytes = [UInt8](repeating: 0, count: 4)
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe fill(bytes.baseAddress, bytes.count)
    }
    guard status == ac_status_t(AC_OK) else {
      throw SensorFailure(.inputOutput, "The kernel gives no random numbers")
    }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
