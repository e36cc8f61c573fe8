internal import Glibc
internal import SensorKit
internal import USBCapture

/// Writes what a driver and its device say to each other as pcapng, for Wireshark, umockdev and the
/// recording transport.
///
/// A recording that cannot be written any more ends where it is; the driver's work goes on.
struct TrafficRecorder {
  private let descriptor: Int32
  private let bus: UInt16
  private let address: UInt8
  private let host: DriverServices
  private var begun: [UInt32: UsbmonPacket] = [:]
  private var nextIdentifier: UInt64 = 1
  private var hasFailed = false

  /// Begins a recording with the device's descriptors, so that a reader can tell what it is of.
  ///
  /// - Parameters:
  ///   - descriptor: Open for writing; stays the host's.
  ///   - descriptors: Those of the device.
  ///   - host: Hears when a recording cannot be written.
  init(_ descriptor: Int32, of descriptors: DeviceDescriptors, host: DriverServices) {
    self.descriptor = descriptor
    bus = UInt16(descriptors.info.bus)
    address = descriptors.info.address
    self.host = host
    write(PcapngWriter.head(linkType: UsbmonPacket.linkType))
    record(descriptors.device, descriptor: 1)
    record(Array(descriptors.configuration.prefix(9)), descriptor: 2)
    record(descriptors.configuration, descriptor: 2)
  }

  /// A transfer begins; `identifier` is its own until it ends.
  mutating func begin(_ transfer: USBTransfer, as identifier: UInt32) {
    let packet = UsbmonPacket(
      submissionOf: transfer, identifier: nextIdentifier, bus: bus, address: address)
    nextIdentifier += 1
    begun[identifier] = packet
    write(packet)
  }

  /// A transfer ends; `status` is 0 or a negative `errno`.
  mutating func end(_ identifier: UInt32, status: Int32, count: Int, bytes: [UInt8]) {
    guard let packet = begun.removeValue(forKey: identifier) else { return }
    write(packet.completion(status: status, count: count, bytes: bytes))
  }

  /// The answer to GET_DESCRIPTOR (USB 2.0, section 9.4.3).
  private mutating func record(_ bytes: [UInt8], descriptor type: UInt16) {
    guard !bytes.isEmpty else { return }
    let setup = USBSetup(
      type: 0x80, request: 6, value: type << 8, index: 0, length: UInt16(clamping: bytes.count))
    begin(.control(setup, data: []), as: 0)
    end(0, status: 0, count: bytes.count, bytes: bytes)
  }

  private mutating func write(_ packet: UsbmonPacket) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    let microseconds = UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec / 1000)
    write(PcapngWriter.packet(packet.encoded(at: microseconds), at: microseconds))
  }

  private mutating func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count, !hasFailed {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        hasFailed = true
        host.log(.warning, "The traffic is no longer recorded: failure \(errno) of write")
      }
    }
  }
}
