import AuthcoreABI
import Glibc
import RecordingTransport
import SensorKit

/// Drives the USB transport as a host and a driver would; for tests, which run it under umockdev.
///
///     usb-exercise list
///     usb-exercise play BUS:ADDRESS RECORDING MODEL [CAPTURE]
@main
enum USBExercise {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "list": try list()
    case "play" where 4...5 ~= arguments.count: try play(arguments)
    default: throw Problem("usage: list | play BUS:ADDRESS RECORDING MODEL [CAPTURE]")
    }
  }

  /// What the watch tells until everything is settled.
  private static func list() throws {
    let watch = try EnteredTransport().watch()
    while true {
      let (status, change) = unsafe watch.next()
      guard status == AC_OK, change.event != AC_USB_SETTLED else {
        print("settled: \(status)")
        return
      }
      let port = unsafe withUnsafeBytes(of: change.port_path) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      print(
        "device \(change.vendor_id):\(change.product_id) at \(change.bus):\(change.address)",
        "place \(change.place) port \(port)")
    }
  }

  /// Does what a recording's program did, compares, and then what no recording can answer.
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
