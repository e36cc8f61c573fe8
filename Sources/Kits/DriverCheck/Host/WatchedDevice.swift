import AuthcoreABI
import Glibc
import Synchronization

/// `usb/1` between a driver and its transport: passes every call on, counts it, and notes what is
/// not allowed.
@safe
final class WatchedDevice: @unchecked Sendable {
  // Sendable: `service` is constant, everything else is behind the Mutex.
  private struct State {
    var calls = 0
    var pending: Set<UInt32> = []
    var claimed: Set<UInt8> = []
    var isGone = false
    var violation: String?
    var sawGone = false
    var trap: (call: Int, action: @Sendable () -> Void)?
  }

  private let service: UnsafePointer<ac_usb_service_t>
  private let owner = pthread_self()
  private let state = Mutex(State())

  /// The service has to live as long as this value is used.
  init(_ service: UnsafePointer<ac_usb_service_t>) { unsafe self.service = service }

  /// Calls so far, as docs/simulated-devices.md counts them.
  var calls: Int { state.withLock { $0.calls } }
  /// Reads that were queued, and neither waited for nor cancelled.
  var pendingReads: Int { state.withLock { $0.pending.count } }
  /// An interface that was claimed and not released, unless the device is gone.
  var keptInterface: UInt8? { state.withLock { $0.isGone ? nil : $0.claimed.min() } }
  /// The first thing that the driver must not do.
  var violation: String? { state.withLock { $0.violation } }
  /// Whether a call said that the device is gone, since this was called last.
  func takeGone() -> Bool {
    state.withLock { state in
      defer { state.sawGone = false }
      return state.sawGone
    }
  }

  /// Runs `action` when the driver makes this call, before the device gets it.
  func at(call: Int, do action: @escaping @Sendable () -> Void) {
    state.withLock { $0.trap = (call, action) }
  }

  fileprivate func begin(_ name: String, counting count: Int) {
    let isOwner = pthread_equal(pthread_self(), owner) != 0
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      if !isOwner, state.violation == nil {
        state.violation = "it called usb->\(name) on a thread of its own"
      }
      state.calls += count
      guard let trap = state.trap, trap.call <= state.calls else { return nil }
      state.trap = nil
      return trap.action
    }
    action?()
  }

  fileprivate func end(_ status: ac_status_t) -> ac_status_t {
    if status == Status.gone {
      state.withLock { state in
        state.sawGone = true
        state.isGone = true
      }
    }
    return status
  }

  fileprivate func queued(_ ticket: UInt32) { state.withLock { _ = $0.pending.insert(ticket) } }
  fileprivate func claimed(_ number: UInt8) {
    state.withLock { _ = $0.claimed.insert(number) }
  }
  fileprivate func released(_ number: UInt8) {
    state.withLock { _ = $0.claimed.remove(number) }
  }
  fileprivate func used(_ ticket: UInt32) { state.withLock { _ = $0.pending.remove(ticket) } }

  /// The table for the driver; never freed.
  @unsafe func makeTable() -> UnsafePointer<ac_usb_service_t> {
    unsafe CheckHost.immortal(
      ac_usb_service_t(
        struct_size: UInt32(MemoryLayout<ac_usb_service_t>.size),
        device: OpaquePointer(Unmanaged.passRetained(self).toOpaque()),
        device_info: { device, ret in
          unsafe with(device, "device_info") { unsafe $0.device_info($0.device, ret) }
        },
        interface_info: { device, index, ret in
          unsafe with(device, "interface_info") {
            unsafe $0.interface_info($0.device, index, ret)
          }
        },
        claim_interface: { device, number in
          let status = unsafe with(device, "claim_interface", counting: 1) {
            unsafe $0.claim_interface($0.device, number)
          }
          if status == Status.ok { unsafe watched(device)?.claimed(number) }
          return status
        },
        release_interface: { device, number in
          unsafe watched(device)?.released(number)
          return unsafe with(device, "release_interface", counting: 1) {
            unsafe $0.release_interface($0.device, number)
          }
        },
        control: { device, type, request, value, index, data, length, timeout, ret in
          unsafe with(device, "control", counting: 1) {
            unsafe $0.control(
              $0.device, type, request, value, index, data, length, timeout, ret)
          }
        },
        transfer: { device, type, endpoint, data, length, timeout, ret in
          // A blocking read counts as queued and waited for.
          unsafe with(device, "transfer", counting: endpoint & 0x80 != 0 ? 2 : 1) {
            unsafe $0.transfer($0.device, type, endpoint, data, length, timeout, ret)
          }
        },
        submit_read: { device, type, endpoint, length, ret in
          let status = unsafe with(device, "submit_read", counting: 1) {
            unsafe $0.submit_read($0.device, type, endpoint, length, ret)
          }
          if status == ac_status_t(AC_OK), let ret = unsafe ret {
            unsafe watched(device)?.queued(ret.pointee)
          }
          return status
        },
        wait: { device, ticket, timeout, data, capacity, ret in
          let status = unsafe with(device, "wait", counting: 1) {
            unsafe $0.wait($0.device, ticket, timeout, data, capacity, ret)
          }
          if status != ac_status_t(AC_ERR_TIMEOUT), status != ac_status_t(AC_ERR_INTERRUPTED) {
            unsafe watched(device)?.used(ticket)
          }
          return status
        },
        cancel: { device, ticket in
          unsafe watched(device)?.used(ticket)
          return unsafe with(device, "cancel") { unsafe $0.cancel($0.device, ticket) }
        },
        clear_halt: { device, endpoint in
          unsafe with(device, "clear_halt", counting: 1) {
            unsafe $0.clear_halt($0.device, endpoint)
          }
        },
        reset: { device in
          unsafe with(device, "reset", counting: 1) { unsafe $0.reset($0.device) }
        },
        interrupt: { device in
          guard let watched = unsafe watched(device) else { return }
          unsafe watched.service.pointee.interrupt(watched.service.pointee.device)
        }))
  }

  fileprivate func call(_ body: (ac_usb_service_t) -> ac_status_t) -> ac_status_t {
    unsafe body(service.pointee)
  }
}

/// The value behind a driver's `ac_usb_t *`.
private func watched(_ device: OpaquePointer?) -> WatchedDevice? {
  unsafe device.map {
    unsafe Unmanaged<WatchedDevice>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
  }
}

/// Makes one call, and notes it.
private func with(
  _ device: OpaquePointer?, _ name: String, counting count: Int = 0,
  _ body: (ac_usb_service_t) -> ac_status_t
) -> ac_status_t {
  guard let watched = unsafe watched(device) else { return ac_status_t(AC_ERR_ARGUMENT) }
  watched.begin(name, counting: count)
  return unsafe watched.end(watched.call(body))
}
