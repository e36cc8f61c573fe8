package import SensorKit

/// One event of a USB transfer as Linux's usbmon writes it: 64 bytes, then the data (the kernel's
/// Documentation/usb/usbmon.rst, "Raw binary format and API").
package struct UsbmonPacket: Equatable, Sendable {
  /// `LINKTYPE_USB_LINUX_MMAPPED`
  package static let linkType: UInt16 = 220
  /// Bytes before the data.
  package static let headerSize = 64

  package enum Event: UInt8, Sendable {
    /// The host began it.
    case submission = 0x53
    case completion = 0x43
    /// The host could not begin it.
    case submissionError = 0x45
  }

  package enum Kind: UInt8, Sendable {
    case isochronous = 0, interrupt = 1, control = 2, bulk = 3
  }

  /// The same in all events of a transfer. A later transfer can have it again.
  package var identifier: UInt64
  package var event: Event
  package var kind: Kind
  /// Bit 7 is set if the transfer goes from the device to the host.
  package var endpoint: UInt8
  package var bus: UInt16
  package var address: UInt8
  /// Only in the submission of a control transfer.
  package var setup: USBSetup?
  /// 0, or a negative `errno`; `-EINPROGRESS` in a submission.
  package var status: Int32
  /// Bytes asked for in a submission, and moved in a completion.
  package var length: Int
  /// What was written, in a submission, or read, in a completion.
  package var data: [UInt8] = []

  package var isRead: Bool { endpoint & 0x80 != 0 }
}

extension UsbmonPacket {
  /// Reads a packet. Returns nil if the bytes are not one.
  package init?(_ packet: OrderedBytes) {
    guard let identifier = packet.uint64(at: 0),
      let event = packet.uint8(at: 8).flatMap({ Event(rawValue: $0) }),
      let kind = packet.uint8(at: 9).flatMap({ Kind(rawValue: $0) }),
      let endpoint = packet.uint8(at: 10), let address = packet.uint8(at: 11),
      let bus = packet.uint16(at: 12), let setupFlag = packet.uint8(at: 14),
      let status = packet.uint32(at: 28), let length = packet.uint32(at: 32),
      let captured = packet.uint32(at: 36), let setup = packet.part(from: 40, count: 8),
      let data = packet.part(from: Self.headerSize, count: Int(captured))
    else { return nil }
    self.init(
      identifier: identifier, event: event, kind: kind, endpoint: endpoint, bus: bus,
      address: address,
      setup: event == .submission && kind == .control && setupFlag == 0
        ? USBSetup(packet: setup.bytes) : nil,
      status: Int32(bitPattern: status), length: Int(length), data: Array(data.bytes))
  }

  /// The packet's bytes, little-endian; `time` is in microseconds since 1970-01-01 UTC.
  package func encoded(at time: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + data.count)
    bytes.append(littleEndian: identifier)
    bytes += [event.rawValue, kind.rawValue, endpoint, address]
    bytes.append(littleEndian: bus)
    bytes += [setup == nil ? UInt8(ascii: "-") : 0, dataFlag]
    bytes.append(littleEndian: time / 1_000_000)
    bytes.append(littleEndian: UInt32(time % 1_000_000))
    bytes.append(littleEndian: status)
    bytes.append(littleEndian: UInt32(length))
    bytes.append(littleEndian: UInt32(data.count))
    bytes += setup?.packet ?? [UInt8](repeating: 0, count: 8)
    bytes.append(littleEndian: UInt64(0))  // interval and first frame, of isochronous transfers
    bytes.append(littleEndian: UInt32(isRead ? Self.fromDevice : 0))
    bytes.append(littleEndian: UInt32(0))  // isochronous descriptors
    return bytes + data
  }

  /// Says why there are no data.
  private var dataFlag: UInt8 {
    switch (event, isRead) {
    case (.submission, true): UInt8(ascii: "<")
    case (.completion, false): UInt8(ascii: ">")
    default: 0
    }
  }

  /// `URB_DIR_IN` of the kernel's include/linux/usb.h.
  private static let fromDevice: UInt32 = 0x200
}

extension UsbmonPacket {
  /// The event that begins a transfer.
  package init(submissionOf transfer: USBTransfer, identifier: UInt64, bus: UInt16, address: UInt8)
  {
    self.init(
      identifier: identifier, event: .submission, kind: .control, endpoint: 0, bus: bus,
      address: address, status: Self.inProgress, length: transfer.length)
    switch transfer {
    case .control(let setup, let data):
      endpoint = setup.type & 0x80
      (self.setup, self.data) = (setup, data)
    case .read(let endpoint, _):
      (kind, self.endpoint) = (endpoint.kind == .bulk ? .bulk : .interrupt, endpoint.address)
    case .write(let endpoint, let data):
      (kind, self.endpoint) = (endpoint.kind == .bulk ? .bulk : .interrupt, endpoint.address)
      self.data = data
    }
  }

  /// The event that ends it. `status` is 0 or a negative `errno`, `count` how many bytes moved,
  /// `bytes` those that were read.
  package func completion(status: Int32, count: Int, bytes: [UInt8]) -> UsbmonPacket {
    UsbmonPacket(
      identifier: identifier, event: .completion, kind: kind, endpoint: endpoint, bus: bus,
      address: address, status: status, length: count, data: bytes)
  }

  /// `-EINPROGRESS`
  private static let inProgress: Int32 = -115
}

extension USBSetup {
  /// The eight bytes of USB 2.0, section 9.3.
  package var packet: [UInt8] {
    var bytes = [type, request]
    bytes.append(littleEndian: value)
    bytes.append(littleEndian: index)
    bytes.append(littleEndian: length)
    return bytes
  }

  package init?(packet: ArraySlice<UInt8>) {
    let bytes = OrderedBytes(packet, .little)
    guard let type = bytes.uint8(at: 0), let request = bytes.uint8(at: 1),
      let value = bytes.uint16(at: 2), let index = bytes.uint16(at: 4),
      let length = bytes.uint16(at: 6)
    else { return nil }
    self.init(type: type, request: request, value: value, index: index, length: length)
  }

  /// Whether it is a request of chapter 9 of USB 2.0, which the kernel sends too.
  package var isStandard: Bool { type & 0x60 == 0 }
}

extension [UInt8] {
  /// Appends a number, little-endian.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

/// A configuration descriptor, which includes its interfaces and endpoints (USB 2.0, section 9.6).
package enum ConfigurationDescriptor {
  /// The interfaces in their first setting, up to the first damaged descriptor.
  package static func interfaces(_ bytes: [UInt8]) -> [USBInterfaceInfo] {
    var interfaces: [USBInterfaceInfo] = []
    var isFirstSetting = false
    var rest = bytes[...]
    while let length = rest.first.map({ Int($0) }), length >= 2, length <= rest.count {
      let descriptor = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      switch (descriptor[1], length) {
      case (4, 9...):
        isFirstSetting = descriptor[3] == 0
        guard isFirstSetting else { continue }
        // USBDeviceInfo counts in eight bits.
        guard interfaces.count < 32 else { return interfaces }
        interfaces.append(
          USBInterfaceInfo(
            number: descriptor[2], classCode: descriptor[5], subclassCode: descriptor[6],
            protocolCode: descriptor[7], endpoints: []))
      case (5, 7...):
        guard isFirstSetting, let last = interfaces.popLast() else { continue }
        interfaces.append(last.adding(endpoint: descriptor[2]))
      default: continue
      }
    }
    return interfaces
  }
}

extension USBInterfaceInfo {
  fileprivate func adding(endpoint: UInt8) -> USBInterfaceInfo {
    USBInterfaceInfo(
      number: number, classCode: classCode, subclassCode: subclassCode, protocolCode: protocolCode,
      endpoints: endpoints.count < 30 ? endpoints + [endpoint] : endpoints)
  }
}
