import Foundation
import RecordingTransport
import SensorKit
import TestSupport
import Testing
import USBCapture

@Suite(
  "X4: the USB transport, with a device of umockdev's",
  .enabled(if: UmockdevRun.isThere, "needs umockdev"))
struct USBTransportTests {
  /// As the kernel shows a device 1209:0001 at 1:5 that a person can unplug.
  private static let device: String = {
    let descriptors = (TestCapture.device + TestCapture.configuration).hexDigits.joined()
      .uppercased()
    return """
      P: /devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2.3
      N: bus/usb/001/005=\(descriptors)
      E: DEVNAME=/dev/bus/usb/001/005
      E: DEVTYPE=usb_device
      E: SUBSYSTEM=usb
      E: BUSNUM=001
      E: DEVNUM=005
      E: MAJOR=189
      E: MINOR=4
      A: bConfigurationValue=1\\n
      A: bNumConfigurations=1\\n
      A: bcdDevice=0103\\n
      A: busnum=1\\n
      A: dev=189:4\\n
      A: devnum=5\\n
      A: idProduct=0001\\n
      A: idVendor=1209\\n
      A: removable=removable\\n
      A: speed=12\\n
      H: descriptors=\(descriptors)

      """
  }()

  private static let path = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2.3"

  /// Every kind of transfer and every way to end.
  private static func capture() -> TestCapture {
    var capture = TestCapture()
    capture.descriptors()
    capture.read(.init(type: 0xC0, request: 4, value: 7, index: 0, length: 4), [1, 2])
    let first = capture.submit(.read(.interrupt(0x81), length: 8))
    let second = capture.submit(.read(.interrupt(0x81), length: 8))
    let image = capture.submit(.read(.bulk(0x82), length: 100_000))
    let start = USBSetup(type: 0x40, request: 1, value: 1, index: 0, length: 2)
    capture.complete(capture.submit(.control(start, data: [9, 8])))
    capture.complete(first, [1])
    capture.complete(image, (0..<90_000).map { UInt8(truncatingIfNeeded: $0) })
    capture.complete(second, [2, 3])
    capture.complete(capture.submit(.write(.bulk(0x02), [5, 6, 7])))
    capture.complete(capture.submit(.read(.bulk(0x82), length: 64)), status: -32)
    capture.complete(capture.submit(.read(.bulk(0x82), length: 64)), status: -2)
    capture.complete(capture.submit(.read(.bulk(0x82), length: 64)), [4, 4], status: -2)
    capture.complete(capture.submit(.read(.bulk(0x82), length: 64)), status: -71)
    capture.complete(capture.submit(.read(.bulk(0x82), length: 64)), status: -19)
    return capture
  }

  private static let extras = [
    "timeout 100, in time", "pending 0, 100", "cancelled 0, 109", "interrupted before 101",
    "interrupted 101, in time", "clear halt 0, reset 0", "no interface true", "descriptors kept",
  ]

  @Test(
    "opened by bus and address: transfers, stalls, deadlines, interrupts, and its own record of them"
  )
  func ownCapture() throws {
    let folder = try TemporaryFolder()
    let device = try folder.write("device", Self.device)
    let original = Self.capture()
    let file = try folder.write("a.pcapng", original.bytes)
    let written = "\(folder.path)/written.pcapng"
    let run = try UmockdevRun(
      device: device, traffic: ["-p", "\(Self.path)=\(file)"], ["play", "1:5", file, "", written])
    let opened = "opened 1209:1 103 at 1:5, endpoints [129, 130, 2]"
    #expect(run.lines == [opened, "claimed [0]", "transfers 11, different 0"] + Self.extras)

    let played = try RecordingReader.read(original.bytes, device: .only)
    let recorded = try RecordingReader.read(
      ReadableFile(path: written).read(from: 0, count: 1 << 20), device: .only)
    #expect(recorded.info == played.info)
    let again = try UmockdevRun(
      device: device, traffic: ["-p", "\(Self.path)=\(written)"], ["play", "1:5", written, ""])
    // And those that were ended by a deadline, an interrupt, cancelling or closing.
    #expect(again.lines.dropFirst(2).first == "transfers 15, different 0")
  }

  @Test("a device that is not there is named, with what to do")
  func missing() throws {
    let folder = try TemporaryFolder()
    let device = try folder.write("device", Self.device)
    let file = try folder.write("a.pcapng", Self.capture().bytes)
    let run = try UmockdevRun(device: device, ["play", "1:6", file, ""])
    #expect(run.lines == ["failed: opening ended with 116"])
    #expect(run.log == ["error: There is no USB device 1:6; plug it in, or look it up with lsusb"])
  }

  @Test("what is connected is told with its port and whether it can be taken away, then settled")
  func watch() throws {
    let folder = try TemporaryFolder()
    let run = try UmockdevRun(device: folder.write("device", Self.device), ["list"])
    #expect(run.lines == ["device 4617:1 at 1:5 place 1 port 1-2.3", "settled: 0"])
  }

  @Test(
    "recordings of real readers play through libusb as they were recorded",
    .enabled(if: SharedRecordings.areThere, "needs AUTHCORE_SHARED"),
    arguments: [
      ("uru4000-4500", "1:50", "capture.pcapng", "", 18),
      ("upektc_img", "1:3", "capture.pcapng", "", 104),
      ("synaptics", "1:4", "custom.pcapng", "", 152),
      ("elan", "1:94", "capture.ioctl", "04f3:0c26", 76),
      ("nb1010", "1:3", "capture.ioctl", "298d:1010", 96),
      ("aes3500", "3:4", "capture.ioctl", "08ff:5731", 11),
    ])
  func realReaders(name: String, place: String, file: String, model: String, count: Int) throws {
    let folder = "\(SharedRecordings.folder)/\(name)"
    let device = String(decoding: try SharedRecordings.bytes("\(name)/device"), as: UTF8.self)
    let head = device.split(separator: "\n")
    let path = try #require(head.first).dropFirst("P: ".count)
    let node = try #require(head.first { $0.hasPrefix("N: ") }).dropFirst("N: ".count)
      .prefix { $0 != "=" }
    let recorded =
      file.hasSuffix(".ioctl")
      ? ["-i", "/dev/\(node)=\(folder)/\(file)"] : ["-p", "/sys\(path)=\(folder)/\(file)"]
    let run = try UmockdevRun(
      device: "\(folder)/device", traffic: recorded, ["play", place, "\(folder)/\(file)", model])
    #expect(run.lines.contains("transfers \(count), different 0"), "\(run.lines)")
    #expect(run.lines.last == "descriptors kept")
  }
}

/// A run of `exercise usb` under `umockdev-run`, which simulates a device.
struct UmockdevRun {
  /// Its output, without the log.
  let lines: [String]
  /// The transport's log and failures.
  let log: [String]

  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/umockdev-run") }

  /// `device` is the file that describes the device; `traffic` its recording and what it is a
  /// recording of, ["-p", "/sys/devices/…=FILE"] or ["-i", "/dev/bus/…=FILE"]; `arguments` are
  /// those of `exercise usb`.
  init(device: String, traffic: [String] = [], _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/umockdev-run")
    process.arguments =
      ["-d", device] + traffic + ["--", Self.program, "usb"] + arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let all = text.split(separator: "\n").map { String($0) }
    let isLogged = { (line: String) in line.hasPrefix("log: ") || line.hasPrefix("error: ") }
    log = all.filter(isLogged)
    lines = all.filter { !isLogged($0) }
  }

  /// The program is beside the test program.
  private static var program: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("exercise").path
  }
}
