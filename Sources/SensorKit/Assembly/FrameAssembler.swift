internal import AuthcoreABI

extension SensorContext {
  /// The host's operations on stripes, lines and pixels, `assemble/1`.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` where the host has none.
  public func assembly() throws(SensorFailure) -> FrameAssembler {
    guard
      let table = unsafe host.service(AC_ASSEMBLE_SERVICE, as: ac_assemble_service_t.self),
      unsafe Int(table.pointee.struct_size) >= MemoryLayout<ac_assemble_service_t>.size
    else {
      throw SensorFailure(.unsupported, "The host assembles no frames (service assemble/1)")
    }
    return unsafe FrameAssembler(table)
  }
}

/// Puts swipes together and works on pixels: `assemble/1` with Swift types. Only computes; on any thread.
///
/// Every function throws ``SensorFailure/Code/argument`` on a size that is 0 or beyond the limits of `assemble.h`.
@safe public struct FrameAssembler: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes, and its functions are [any].
  let table: UnsafePointer<ac_assemble_service_t>

  init(_ table: UnsafePointer<ac_assemble_service_t>) {
    unsafe self.table = unsafe table
  }

  /// Makes a call that fills `count` elements.
  func fill<Element: FixedWidthInteger>(
    _ action: @autoclosure () -> String, count: Int,
    _ body: (ac_assemble_service_t, UnsafeMutablePointer<Element>?) -> ac_status_t
  ) throws(SensorFailure) -> [Element] {
    guard 1...maximumPixels ~= count else {
      throw SensorFailure(.argument, "\(action()): \(count) pixels are not possible")
    }
    var result = [Element](repeating: 0, count: count)
    let status = unsafe result.withUnsafeMutableBufferPointer { buffer in
      unsafe body(table.pointee, buffer.baseAddress)
    }
    try check(status, action())
    return result
  }

  func check(_ status: ac_status_t, _ action: @autoclosure () -> String) throws(SensorFailure) {
    guard status != ac_status_t(AC_OK) else { return }
    let code = SensorFailure.Code(rawValue: status) ?? .argument
    let reason =
      switch code {
      case .data: "the image would be higher than allowed"
      case .memory: "it would take too long, or too much memory"
      default: "a size is out of range"
      }
    throw SensorFailure(code, "\(action()) failed: \(reason)")
  }

  /// A count as the C side takes it; 0, which it refuses, for what does not fit.
  func unsigned(_ value: Int) -> UInt32 { UInt32(exactly: value) ?? 0 }

  /// `AC_ASSEMBLE_MAX_PIXELS`
  private var maximumPixels: Int { 16 * 1024 * 1024 }
}
