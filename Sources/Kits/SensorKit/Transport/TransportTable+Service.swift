internal import AuthcoreABI
internal import Synchronization

extension TransportTable {
  /// The table of one open device; ``close`` frees it.
  @unsafe static func makeService(_ device: OpenTransport) -> UnsafePointer<ac_usb_service_t> {
    let service = UnsafeMutablePointer<ac_usb_service_t>.allocate(capacity: 1)
    unsafe service.initialize(
      to: ac_usb_service_t(
        struct_size: UInt32(MemoryLayout<ac_usb_service_t>.size),
        device: OpaquePointer(Unmanaged.passRetained(device).toOpaque()),
        device_info: { unsafe TransportTable.deviceInfo($0, ret: $1) },
        interface_info: { unsafe TransportTable.interfaceInfo($0, index: $1, ret: $2) },
        claim_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.claimInterface(number)
          }
        },
        release_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.releaseInterface(number)
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
            try device.clearHalt(endpoint: endpoint)
          }
        },
        reset: { device in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in try device.reset()
          }
        },
        interrupt: { device in
          guard let device = unsafe device else { return }
          unsafe TransportTable.openTransport(device).interruption.request()
        }))
    return unsafe UnsafePointer(service)
  }

  /// Runs a call and turns a failure into its status. Its message goes to the log: what a person
  /// reads is the driver's to say.
  @unsafe static func with(
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
}

extension USBEndpoint {
  init?(type: ac_usb_endpoint_type_t, address: UInt8) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.init(address: address, kind: kind)
  }
}
