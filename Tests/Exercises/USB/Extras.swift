import AuthcoreABI
import Glibc

/// What no recording answers: deadlines, cancelling, interrupting.
struct Extras {
  private let device: OpenedDevice
  private let endpoint: UInt8

  init(_ device: OpenedDevice, endpoint: UInt8?) {
    self.device = device
    self.endpoint = endpoint ?? 0x81
  }

  func run() {
    let kind = Int32(AC_USB_BULK)
    let (timeout, timeoutTime) = measure {
      device.transfer(
        kind, endpoint, data: [UInt8](repeating: 0, count: 5), milliseconds: 80
      ).status
    }
    print("timeout \(timeout), \(80...400 ~= timeoutTime ? "in time" : "after \(timeoutTime) ms")")
    let first = device.submit(kind, endpoint, length: 6)
    print(
      "pending \(first.status), \(device.wait(first.ticket, length: 6, milliseconds: 0).status)")
    print("cancelled \(device.cancel(first.ticket)), \(device.cancel(first.ticket))")
    device.interrupt()
    print("interrupted before \(device.wait(submit(7), length: 7, milliseconds: .max).status)")
    let interruptible = device
    var thread = pthread_t()
    // Retained until the thread takes it over.
    let context = unsafe Unmanaged.passRetained(interruptible).toOpaque()
    let (interrupted, time) = measure {
      unsafe pthread_create(
        &thread, nil,
        { context in
          usleep(100_000)
          guard let context = unsafe context else { return nil }
          unsafe Unmanaged<OpenedDevice>.fromOpaque(context).takeRetainedValue().interrupt()
          return nil
        }, context)
      return device.wait(submit(8), length: 8, milliseconds: .max).status
    }
    pthread_join(thread, nil)
    print("interrupted \(interrupted), \(90...200 ~= time ? "in time" : "after \(time) ms")")
    print("clear halt \(device.clearHalt(endpoint)), reset \(device.reset())")
    print("no interface \(device.claim(99) != AC_OK)")
  }

  /// One more pending read; the device is closed while some are.
  private func submit(_ length: Int) -> UInt32 {
    device.submit(Int32(AC_USB_BULK), endpoint, length: length).ticket
  }

  private func measure(_ body: () -> Int) -> (result: Int, milliseconds: Int) {
    let start = now()
    return (body(), now() - start)
  }

  private func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
