import AuthcoreABI
import Glibc
import RecordingTransport
import SensorKit

/// Drives the USB transport as a host and a driver would; for tests, which run it under umockdev.
///
///     exercise usb list
///     exercise usb watch COUNT
///     exercise usb node PATH ENDPOINT
///     exercise usb play BUS:ADDRESS RECORDING MODEL [CAPTURE]
enum USBExercise {
  static func main(_ arguments: [String]) {
    do {
      try run(arguments)
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "list": try list()
    case "watch" where arguments.count == 2: try watch(Int(arguments[1]) ?? 1)
    case "node" where arguments.count == 3:
      try waitForEnd(arguments[1], endpoint: UInt8(arguments[2], radix: 16) ?? 0x81)
    case "play" where 4...5 ~= arguments.count: try play(arguments)
    default:
      throw Problem(
        "usage: list | watch COUNT | node PATH ENDPOINT | play BUS:ADDRESS RECORDING MODEL [CAPTURE]"
      )
    }
  }

  /// Prints changes until everything is settled.
  private static func list() throws {
    let watch = try EnteredTransport().watch()
    while true {
      let (status, change) = unsafe watch.next()
      show(status, change)
      if status != AC_OK || change.event == AC_USB_SETTLED { return }
    }
  }

  /// Prints so many changes.
  private static func watch(_ count: Int) throws {
    let watch = try EnteredTransport().watch()
    var left = count
    while left > 0 {
      let (status, change) = unsafe watch.next()
      if status == AC_ERR_TIMEOUT { continue }
      show(status, change)
      left -= 1
    }
  }

  private static func show(_ status: Int, _ change: ac_usb_change_t) {
    let port = unsafe withUnsafeBytes(of: change.port_path) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if status != AC_OK || change.event == AC_USB_SETTLED {
      print("settled: \(status)")
    } else {
      print(
        change.event == AC_USB_ARRIVED ? "device" : "left",
        "\(change.vendor_id):\(change.product_id) at \(change.bus):\(change.address)",
        "place \(change.place) port \(port)")
    }
    fflush(nil)
  }

  /// Opens a device by its node, as a host hands it over, and waits in a read until it is gone.
  private static func waitForEnd(_ path: String, endpoint: UInt8) throws {
    let node = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard node >= 0 else { throw Problem("\(path): \(errno)") }
    let device = try EnteredTransport().open(node: node)
    close(node)
    print("opened \(device.description), claimed \(device.claim(0)), reset \(device.reset())")
    fflush(nil)
    var result: (status: Int, bytes: [UInt8])
    repeat {
      let (status, ticket) = device.submit(Int32(AC_USB_INTERRUPT), endpoint, length: 64)
      // The device may have left between two reads.
      result =
        status == AC_OK ? device.wait(ticket, length: 64, milliseconds: .max) : (status, [])
      print("read \(result.status), \(result.bytes.count) bytes")
      fflush(nil)
    } while result.status == AC_OK
    let after = device.control(0x80, 6, 0x100, 0, data: [UInt8](repeating: 0, count: 18)).status
    print(
      "afterwards control \(after), halt \(device.clearHalt(endpoint)), reset \(device.reset())")
  }

  /// Does what a recording's program did, compares, and then does what no recording can answer.
  private static func play(_ arguments: [String]) throws {
    let place = arguments[1].split(separator: ":").compactMap { UInt8($0) }
    guard place.count == 2, let model = DeviceChoice(arguments[3]) else {
      throw Problem("a place is written as 1:5, a model as 1209:0001")
    }
    let recording = try RecordingReader.read(Self.bytes(arguments[2]), device: model)
    let transport = try EnteredTransport()
    let before = descriptors()
    let capture = arguments.count == 5 ? unsafe creat(arguments[4], 0o600) : -1
    var device: OpenedDevice? = try transport.open(
      bus: place[0], address: place[1], capture: capture)
    if let device {
      print("opened \(device.description)")
      print("claimed \(recording.info.interfaces.map { device.claim($0.number) })")
      var script = ScriptRun(device)
      try script.run(recording)
      print("transfers \(script.count), different \(script.differences)")
      // umockdev ends a program that has two transfers under way in an .ioctl recording.
      if case .script = recording.content {
        Extras(device, endpoint: recording.info.interfaces.first?.endpoints.first { $0 > 0x80 })
          .run()
      }
    }
    device = nil
    if capture >= 0 { close(capture) }
    let first = descriptors()
    // libusb's own stay; the second time must add none.
    device = try transport.open(bus: place[0], address: place[1], capture: -1)
    device = nil
    print("descriptors \(before <= first && first == descriptors() ? "kept" : "leaked")")
  }

  private static func descriptors() -> Int {
    guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = try ReadableFile(path: path)
    return try file.read(from: 0, count: file.size)
  }
}

/// Ends the program with a sentence.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

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
    print("timeout \(timeout), \(timeoutTime >= 80 ? "in time" : "after \(timeoutTime) ms")")
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
    print("interrupted \(interrupted), \(time >= 90 ? "in time" : "after \(time) ms")")
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
