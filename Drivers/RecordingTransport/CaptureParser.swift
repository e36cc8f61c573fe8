internal import SensorKit
internal import USBCapture

/// Reads a capture of USB traffic: pcapng with packets of Linux's usbmon, as Wireshark and authcore
/// write it.
struct CaptureParser {
  private struct Open {
    let place: RecordingPlace
    let transfer: USBTransfer
    /// nil for a standard request.
    let name: String?
  }

  private var entries: [Recording.Entry] = []
  private var standardRequests: [Recording.Exchange] = []
  private var transfers: [USBTransfer] = []
  private var open: [UInt64: Open] = [:]

  private init() {}

  static func parse(_ bytes: [UInt8], device choice: DeviceChoice) throws(RecordingError)
    -> Recording
  {
    let packets = try readPackets(bytes)
    let device = try RecordedDevices(packets.map { $0.packet }).choose(choice)
    var parser = CaptureParser()
    for (number, packet) in packets
    where packet.bus == device.bus && packet.address == device.address {
      try parser.read(packet, .packet(number))
    }
    return Recording(
      info: device.info(choice, transfers: parser.transfers),
      content: .script(parser.entries, standardRequests: parser.standardRequests))
  }

  private static func readPackets(_ bytes: [UInt8]) throws(RecordingError)
    -> [(number: Int, packet: UsbmonPacket)]
  {
    var reader = PcapngReader(bytes)
    var packets: [(number: Int, packet: UsbmonPacket)] = []
    while let packet = try next(&reader) {
      let place = RecordingPlace.packet(packet.number)
      guard packet.linkType == UsbmonPacket.linkType else {
        throw RecordingError(
          place: place,
          reason:
            "it is not USB traffic as Linux records it (link type \(packet.linkType), not \(UsbmonPacket.linkType)); record from usbmon with Wireshark or tshark"
        )
      }
      guard let decoded = UsbmonPacket(packet.bytes) else {
        throw RecordingError(place: place, reason: "it is no packet of usbmon")
      }
      packets.append((packet.number, decoded))
    }
    return packets
  }

  private static func next(_ reader: inout PcapngReader) throws(RecordingError)
    -> PcapngReader.Packet?
  {
    do throws(CaptureError) {
      return try reader.next()
    } catch {
      throw RecordingError(
        place: error.packet == 0 ? .wholeFile : .packet(error.packet), reason: error.reason)
    }
  }

  private mutating func read(_ packet: UsbmonPacket, _ place: RecordingPlace)
    throws(RecordingError)
  {
    switch packet.event {
    case .submission:
      guard let transfer = try Self.transfer(packet, place) else { return }
      if case .control(let setup, _) = transfer, setup.isStandard {
        open[packet.identifier] = Open(place: place, transfer: transfer, name: nil)
        return
      }
      transfers.append(transfer)
      entries.append(.init(place: place, event: .submission(transfer, name: "\(place)")))
      open[packet.identifier] = Open(place: place, transfer: transfer, name: "\(place)")
    case .completion, .submissionError:
      // Otherwise the transfer began before the capture.
      guard let begun = open.removeValue(forKey: packet.identifier) else { return }
      guard !begun.transfer.isRead || packet.data.count >= packet.length || packet.status != 0
      else { throw Self.incomplete(place) }
      let outcome = Recording.Outcome(status: packet.status, data: packet.data)
      if let name = begun.name {
        entries.append(.init(place: place, event: .completion(name: name, outcome)))
      } else {
        standardRequests.append(
          .init(place: begun.place, transfer: begun.transfer, outcome: outcome))
      }
    }
  }

  /// The transfer that the program began, or nil if it is of a kind that drivers cannot make.
  private static func transfer(_ packet: UsbmonPacket, _ place: RecordingPlace)
    throws(RecordingError) -> USBTransfer?
  {
    let kind: USBEndpoint.Kind
    switch packet.kind {
    case .isochronous: return nil
    case .control:
      guard let setup = packet.setup else { return nil }
      guard setup.isRead || packet.data.count == Int(setup.length) else { throw incomplete(place) }
      return .control(setup, data: setup.isRead ? [] : packet.data)
    case .interrupt: kind = .interrupt
    case .bulk: kind = .bulk
    }
    guard packet.length <= RecordingReader.maximumTransfer else {
      throw RecordingError(
        place: place, reason: "a transfer of \(packet.length) bytes is too large")
    }
    let endpoint = USBEndpoint(address: packet.endpoint, kind: kind)
    if packet.isRead { return .read(endpoint, length: packet.length) }
    guard packet.data.count == packet.length else { throw incomplete(place) }
    return .write(endpoint, packet.data)
  }

  private static func incomplete(_ place: RecordingPlace) -> RecordingError {
    RecordingError(
      place: place,
      reason: "not all of its bytes were recorded; record again with a larger capture buffer")
  }
}

extension Recording.Outcome {
  /// From the status of the kernel's URB (Documentation/driver-api/usb/error-codes.rst).
  init(status: Int32, data: [UInt8]) {
    self =
      switch -Int(status) {
      case 0, 121: .bytes(data)  // EREMOTEIO: a short read
      case 2, 104: data.isEmpty ? .cancelled : .bytes(data)  // ENOENT, ECONNRESET
      case 32: .stall  // EPIPE
      case 110: .timeout  // ETIMEDOUT
      case 19, 108: .gone  // ENODEV, ESHUTDOWN
      default: .failure
      }
  }
}
