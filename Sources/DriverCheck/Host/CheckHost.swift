import AuthcoreABI
import CSystemCalls
import FrameAssembly
import Glibc
import Synchronization

/// The host as the checks play it, for the driver, its transport and its device model alike. Never freed, as the ABI promises.
@safe
final class CheckHost: @unchecked Sendable {
  // Sendable: the tables are written in init alone, everything else is behind the Mutex.
  private struct State {
    var message: String?
    /// Addresses, since pointers are not Sendable.
    var services: [String: UInt] = [:]
  }

  private let state = Mutex(State())

  /// Makes `clock/1`, `random/1` and `assemble/1`.
  init() {
    unsafe provide(
      AC_ASSEMBLE_SERVICE, UnsafeRawPointer(Self.immortal(AssembleService.table())))
    unsafe provide("clock/1", UnsafeRawPointer(Self.immortal(CheckClock.service)))
    unsafe provide(
      "random/1",
      UnsafeRawPointer(
        Self.immortal(
          ac_random_service_t(
            struct_size: UInt32(MemoryLayout<ac_random_service_t>.size),
            fill: { bytes, count in
              unsafe ac_random(bytes, count) == 0 ? ac_status_t(AC_OK) : ac_status_t(AC_ERR_IO)
            }))))
  }

  /// A table of this host that says it is of `version`.
  @unsafe func table(version: UInt32) -> UnsafePointer<ac_host_t> {
    unsafe Self.immortal(
      ac_host_t(
        struct_size: UInt32(MemoryLayout<ac_host_t>.size), abi_version: version,
        // Lives as long as the process: the table does.
        context: Unmanaged.passRetained(self).toOpaque(),
        log: { _, _, _ in },
        set_error: { context, text in
          guard let context = unsafe context, let text = unsafe text else { return }
          let message = unsafe String(cString: text)
          unsafe Unmanaged<CheckHost>.fromOpaque(context).takeUnretainedValue()
            .state.withLock { $0.message = message }
        },
        service: { context, name in
          guard let context = unsafe context, let name = unsafe name else { return nil }
          let wanted = unsafe String(cString: name)
          let address = unsafe Unmanaged<CheckHost>.fromOpaque(context).takeUnretainedValue()
            .state.withLock { $0.services[wanted] }
          return unsafe UnsafeRawPointer(bitPattern: address ?? 0)
        }))
  }

  /// Offers a service; nil: no longer.
  func provide(_ name: String, _ table: UnsafeRawPointer?) {
    let address = UInt(bitPattern: table)
    state.withLock { $0.services[name] = address }
  }

  /// The message set since the last look.
  func takeMessage() -> String? { state.withLock { $0.message.take() } }

  /// A copy that is never freed.
  @unsafe static func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe memory.initialize(to: value)
    return unsafe UnsafePointer(memory)
  }
}
