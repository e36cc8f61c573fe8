internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift transport: the tables of usb.h, whose functions lead to an
/// ``OpenTransport``.
enum TransportTable {
  /// Makes the table, which is never freed.
  @unsafe static func make(name: String, watchesDevices: Bool) -> UnsafePointer<ac_transport_t> {
    unsafe immortal(
      ac_transport_t(
        struct_size: UInt32(MemoryLayout<ac_transport_t>.size), abi_version: transportABI,
        name: immortal(name),
        open: { unsafe TransportTable.open($0, ret: $1) },
        close: { unsafe TransportTable.close($0) },
        extension: watchesDevices ? { unsafe HotplugTable.find($0) } : nil))
  }

  private static func open(
    _ source: UnsafePointer<ac_transport_source_t>?,
    ret: UnsafeMutablePointer<UnsafePointer<ac_usb_service_t>?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret, let source = unsafe TransportSource(source),
      let (host, maker) = unsafe exportedTransport.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.maker) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    return host.report { () throws(SensorFailure) in
      let context = SensorContext(host: host)
      let device = OpenTransport(
        try maker.open(source, context), interruption: context.interruption)
      unsafe ret.pointee = unsafe makeService(device)
      return ac_status_t(AC_OK)
    }
  }

  private static func close(_ service: UnsafePointer<ac_usb_service_t>?) {
    guard let service = unsafe service, let device = unsafe service.pointee.device else { return }
    unsafe Unmanaged<OpenTransport>.fromOpaque(UnsafeRawPointer(device)).release()
    unsafe service.deallocate()
  }

  private static func deviceInfo(
    _ device: OpaquePointer?, ret: UnsafeMutablePointer<ac_usb_device_info_t>?
  )
    -> ac_status_t
  {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      unsafe device.transport.info.fill(ret)
    }
  }

  private static func interfaceInfo(
    _ device: OpaquePointer?, index: UInt8, ret: UnsafeMutablePointer<ac_usb_interface_info_t>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let interfaces = device.transport.info.interfaces
      guard Int(index) < interfaces.count else {
        throw SensorFailure(.notFound, "The device has \(interfaces.count) interfaces")
      }
      unsafe interfaces[Int(index)].fill(ret)
    }
  }

  /// Makes the table of one open device. `close` frees it.
  @unsafe private static func makeService(_ device: OpenTransport) -> UnsafePointer<
    ac_usb_service_t
  > {
    let service = UnsafeMutablePointer<ac_usb_service_t>.allocate(capacity: 1)
    unsafe service.initialize(
      to: ac_usb_service_t(
        struct_size: UInt32(MemoryLayout<ac_usb_service_t>.size),
        device: OpaquePointer(Unmanaged.passRetained(device).toOpaque()),
        device_info: { unsafe TransportTable.deviceInfo($0, ret: $1) },
        interface_info: { unsafe TransportTable.interfaceInfo($0, index: $1, ret: $2) },
        claim_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.transport.claimInterface(number)
          }
        },
        release_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.transport.releaseInterface(number)
          }
        },
        control: { device, type, request, value, index, data, length, timeout, ret in
          let setup = USBSetup(
            type: type, request: request, value: value, index: index, length: length)
          return unsafe TransportTable.control(
            device, setup: setup, data: data, timeout: timeout, ret: ret)
        },
        transfer: { device, type, endpoint, data, length, timeout, ret in
          unsafe TransportTable.transfer(
            device, endpoint: USBEndpoint(type: type, address: endpoint),
            data: data, length: length, timeout: timeout, ret: ret)
        },
        submit_read: { device, type, endpoint, length, ret in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            guard let ret = unsafe ret, let endpoint = USBEndpoint(type: type, address: endpoint)
            else {
              throw SensorFailure(.argument, "A pointer is NULL or the endpoint type unknown")
            }
            unsafe ret.pointee = try device.submitRead(endpoint, length: Int(length))
          }
        },
        wait: { device, ticket, timeout, data, capacity, ret in
          unsafe TransportTable.wait(
            device, ticket: ticket, timeout: timeout, data: data, capacity: capacity, ret: ret)
        },
        cancel: { device, ticket in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.cancel(ticket)
          }
        },
        clear_halt: { device, endpoint in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.transport.clearHalt(endpoint: endpoint)
          }
        },
        reset: { device in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.transport.reset()
          }
        },
        interrupt: { device in
          guard let device = unsafe device else { return }
          unsafe TransportTable.openTransport(device).interruption.request()
        }))
    return unsafe UnsafePointer(service)
  }

  /// Runs a call, and turns a failure into its status. The message goes to the log: the driver
  /// writes the one that people read.
  @unsafe private static func with(
    _ device: OpaquePointer?, _ body: (OpenTransport) throws(SensorFailure) -> Void
  ) -> ac_status_t {
    guard let device = unsafe device else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      try body(unsafe openTransport(device))
      return ac_status_t(AC_OK)
    } catch {
      if error.code != .timeout && error.code != .interrupted {
        unsafe exportedTransport.withLock { unsafe $0?.host }?.log(.debug, error.message)
      }
      return error.status
    }
  }

  private static func openTransport(_ device: OpaquePointer) -> OpenTransport {
    unsafe Unmanaged<OpenTransport>.fromOpaque(UnsafeRawPointer(device)).takeUnretainedValue()
  }

  private static func control(
    _ device: OpaquePointer?, setup: USBSetup, data: UnsafeMutablePointer<UInt8>?, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: UInt32(setup.length))
      let transfer = USBTransfer.control(setup, data: setup.isRead ? [] : buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  private static func transfer(
    _ device: OpaquePointer?, endpoint: USBEndpoint?, data: UnsafeMutablePointer<UInt8>?,
    length: UInt32, timeout: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let endpoint else { throw SensorFailure(.argument, "No such type of endpoint") }
      let buffer = try unsafe DriverBuffer(data, count: length)
      let transfer: USBTransfer =
        endpoint.address & 0x80 != 0
        ? .read(endpoint, length: Int(length)) : .write(endpoint, buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  private static func wait(
    _ device: OpaquePointer?, ticket: UInt32, timeout: UInt32, data: UnsafeMutablePointer<UInt8>?,
    capacity: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: capacity)
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let bytes = try device.wait(for: ticket, deadline: deadline(timeout))
      unsafe ret.pointee = buffer.store(bytes)
    }
  }

  private static func run(
    _ device: OpenTransport, _ transfer: USBTransfer, buffer: DriverBuffer, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) throws(SensorFailure) {
    guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
    let (result, isComplete) = try device.transfer(transfer, deadline: deadline(timeout))
    // usb.h: on a timeout the count is written too, with what had come.
    unsafe ret.pointee = transfer.isRead ? buffer.store(result.bytes) : UInt32(result.count)
    guard isComplete else { throw SensorFailure(.timeout, "The deadline of a transfer passed") }
  }

  private static func deadline(_ milliseconds: UInt32) -> Duration? {
    milliseconds == .max ? nil : .milliseconds(milliseconds)
  }
}

/// The memory that a driver passes for a transfer. It may be used until the call returns (usb.h).
@safe private struct DriverBuffer {
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>?, count: UInt32) throws(SensorFailure) {
    guard count <= USBDevice.maximumTransfer else { throw USBDevice.tooLong(Int(count)) }
    guard unsafe start != nil || count == 0 else {
      throw SensorFailure(.argument, "There is no memory for \(count) bytes")
    }
    unsafe memory = UnsafeMutableBufferPointer(start: start, count: Int(count))
  }

  var bytes: [UInt8] { unsafe Array(memory) }

  /// Copies what fits, and returns how many bytes that is.
  func store(_ bytes: [UInt8]) -> UInt32 {
    UInt32(unsafe memory.update(fromContentsOf: bytes.prefix(memory.count)))
  }
}

extension USBEndpoint {
  fileprivate init?(type: ac_usb_endpoint_type_t, address: UInt8) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.init(address: address, kind: kind)
  }
}
