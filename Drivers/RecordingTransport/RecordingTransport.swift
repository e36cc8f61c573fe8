// RecordingTransport: usb/1 answered from a recording of a device.

public import AuthcoreABI
package import SensorKit

/// The entry point, which is linked under the name `ac_transport_entry` (usb.h).
@c(RecordingTransport_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_transport: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>!
) -> ac_status_t {
  unsafe export(RecordingTransport.self, host: host, ret: ret_transport)
}

/// A device that is played from a recording. Time is not reproduced: an answer comes as soon as the
/// recording allows, and a read without one times out at once. Faults are made as a simulated device
/// makes them: the endpoint halts, the device is gone or silent from a call on, the host interrupts.
///
/// The log says where a recording begins again, and where it was if it is closed before its end.
package final class RecordingTransport: USBTransport {
  package static let name = "recording"

  package let info: USBDeviceInfo
  private let host: DriverServices
  private let clock: HostClock
  private let interruption: Interruption
  private var playback: any Playback
  private var plan: FaultPlan
  private var transfers: [UInt32: USBTransfer] = [:]
  private var hasBegunAgain = false

  package init(source: TransportSource, context: SensorContext) throws(SensorFailure) {
    let bytes: [UInt8]
    do throws(SensorFailure) {
      let file = try ReadableFile(borrowing: source.fileDescriptor)
      guard file.size <= RecordingReader.maximumSize else {
        throw SensorFailure(
          .data, "it has \(file.size) bytes; the limit is \(RecordingReader.maximumSize)")
      }
      bytes = try file.read(from: 0, count: RecordingReader.maximumSize)
    } catch {
      throw SensorFailure(error.code, "The recording cannot be read: \(error.message)")
    }
    let settings = try FaultSettings(source.text)
    guard let device = DeviceChoice(settings.model) else {
      throw SensorFailure(
        .option,
        "\"\(settings.model.prefix(64))\" names no device of a recording; write vendor:product as in \"298d:1010\", or bus.address as in \"1.44\""
      )
    }
    do throws(RecordingError) {
      let recording = try RecordingReader.read(bytes, device: device)
      info = recording.info
      playback = recording.makePlayback()
    } catch {
      throw SensorFailure(.data, "The recording, \(error.place): \(error.reason)")
    }
    plan = FaultPlan(settings.faults)
    host = context.host
    clock = try host.clock()
    interruption = context.interruption
  }

  deinit {
    guard !hasBegunAgain, let rest = playback.awaited else { return }
    host.log(.info, "The recording was closed at \(rest.place), before its end")
  }

  package func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try beginCall()
  }

  package func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    try beginCall()
  }

  package func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure) {
    try beginCall()
    if !plan.holds(.silent) { try playback.submit(transfer, as: identifier) }
    transfers[identifier] = transfer
    guard !hasBegunAgain, let place = playback.restart else { return }
    hasBegunAgain = true
    host.log(.warning, "The recording begins again at \(place), for \(transfer)")
  }

  package func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult
  {
    guard let transfer = transfers[identifier] else {
      throw SensorFailure(.argument, "There is no such transfer")
    }
    // Other transfers are one call for the driver, and were counted when they began.
    if transfer.isRead { try beginCall() }
    if plan.takes(.interrupt) { interruption.request() }
    try interruption.check()
    if plan.holds(.silent), let deadline {
      try clock.sleep(for: deadline)
      throw SensorFailure(.timeout, "The device did not answer in time")
    }
    guard let outcome = playback.takeOutcome(of: identifier) else {
      try checkPlugged()
      throw stuck(transfer, canWait: deadline != nil)
    }
    transfers[identifier] = nil
    if plan.takes(.stall) { throw SensorFailure(.stall, "The endpoint halted") }
    switch outcome {
    case .bytes(let bytes):
      return transfer.isRead
        ? USBTransferResult(read: Array(bytes.prefix(transfer.length)))
        : USBTransferResult(written: transfer.length)
    case .stall: throw SensorFailure(.stall, "The endpoint halted, says the recording")
    case .timeout: throw SensorFailure(.timeout, "No answer came in time, says the recording")
    // As in umockdev.
    case .cancelled: return USBTransferResult(read: [])
    case .gone: throw SensorFailure(.gone, "The device went away, says the recording")
    case .failure: throw SensorFailure(.inputOutput, "The transfer failed, says the recording")
    }
  }

  package func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8] {
    transfers[identifier] = nil
    playback.cancel(identifier)
    return []
  }

  package func clearHalt(endpoint: UInt8) throws(SensorFailure) {
    try beginCall()
  }

  package func reset() throws(SensorFailure) {
    try beginCall()
  }

  /// Counts a call of the driver.
  private func beginCall() throws(SensorFailure) {
    plan.beginCall()
    if plan.holds(.gone) { throw SensorFailure(.gone, "The device was unplugged") }
    try checkPlugged()
  }

  private func checkPlugged() throws(SensorFailure) {
    if playback.isUnplugged {
      throw SensorFailure(.gone, "The device went away, says the recording")
    }
  }

  /// The failure of a transfer for which the recording has no answer yet.
  ///
  /// A read with a deadline times out. A control transfer, a write, or a read without a deadline
  /// would never end, because the driver does something else than the recorded program did.
  private func stuck(_ transfer: USBTransfer, canWait: Bool) -> SensorFailure {
    let expected =
      playback.awaited.map { "\($0.place): expected \($0.transfer)" }
      ?? "at its end: expected nothing"
    let sentence = "The recording, \(expected), got \(transfer)"
    if case .read = transfer, canWait {
      host.log(.debug, sentence)
      return SensorFailure(.timeout, sentence)
    }
    host.log(.error, sentence)
    return SensorFailure(.protocolViolation, sentence)
  }
}
