// LibfprintBridge: readers that libfprint knows, as frames for our own matcher.

package import SensorKit

/// A reader that delivers images, driven by the installed libfprint-2.
///
/// libfprint finds and opens devices itself, so this driver needs no transport and gets the wider
/// sandbox. It lists no USB devices: libfprint has no public list of those it knows, and where we
/// have a driver of our own that one comes first. So it is used where it is asked for, `--driver
/// libfprint`.
package struct LibfprintSensor: SensorDriver {
  package static let description = SensorDescription(
    name: "libfprint", fullName: "Readers of the installed libfprint", version: "1",
    scanType: .press, traits: .opensDevices,
    options: [
      .init("reader", .number, summary: "which reader, as libfprint counts them from 1"),
      .init("emulation", .number, summary: "1: the reader is a recording, played by umockdev"),
    ])

  private let device: LibfprintDevice
  private let clock: HostClock
  private let interruption: Interruption

  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    clock = try context.host.clock()
    interruption = context.interruption
    let number = try Self.readerNumber(options)
    LibfprintProcess.prepare(log: context.host, isEmulated: try options.isOn("emulation"))
    device = try LibfprintReaders().open(number)
  }

  package var deviceInfo: DeviceInfo? { DeviceInfo(scanType: device.scanType) }

  package mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    try device.capture(until: clock.now() + timeout, on: clock, interruption)
  }

  private static func readerNumber(_ options: borrowing SensorOptions) throws(SensorFailure) -> Int?
  {
    guard let option = options["reader"] else { return nil }
    guard let number = Int(exactly: option.number), number >= 1 else {
      throw SensorFailure(.option, "The option reader counts from 1, \"\(option.text)\" is none")
    }
    return number
  }
}
