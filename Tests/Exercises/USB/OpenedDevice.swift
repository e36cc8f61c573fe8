import AuthcoreABI

/// An open device; closed when it dies.
@safe final class OpenedDevice: @unchecked Sendable {
  // Unchecked: only interrupt is called from another thread, as usb.h allows.
  private let transport: UnsafePointer<ac_transport_t>
  private let service: UnsafePointer<ac_usb_service_t>

  init(_ transport: UnsafePointer<ac_transport_t>, _ service: UnsafePointer<ac_usb_service_t>) {
    unsafe self.transport = transport
    unsafe self.service = service
  }

  deinit { unsafe transport.pointee.close(service) }

  /// "1209:1 103 at 1:5, endpoints [129, 130, 2]", the first in hexadecimal.
  var description: String {
    var info = ac_usb_device_info_t()
    _ = unsafe service.pointee.device_info(service.pointee.device, &info)
    var interface = ac_usb_interface_info_t()
    _ = unsafe service.pointee.interface_info(service.pointee.device, 0, &interface)
    let endpoints = unsafe withUnsafeBytes(of: interface.endpoints) { bytes in
      unsafe bytes.prefix(Int(interface.endpoint_count)).map { $0 }
    }
    let ids = [info.vendor_id, info.product_id, info.bcd_device].map { String($0, radix: 16) }
    return "\(ids[0]):\(ids[1]) \(ids[2]) at \(info.bus):\(info.address), endpoints \(endpoints)"
  }

  func claim(_ number: UInt8) -> Int {
    unsafe Int(service.pointee.claim_interface(service.pointee.device, number))
  }

  func clearHalt(_ endpoint: UInt8) -> Int {
    unsafe Int(service.pointee.clear_halt(service.pointee.device, endpoint))
  }

  func reset() -> Int {
    unsafe Int(service.pointee.reset(service.pointee.device))
  }

  func control(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, data: [UInt8]
  ) -> (status: Int, bytes: [UInt8]) {
    unsafe fill(data) { data, count in
      unsafe service.pointee.control(
        service.pointee.device, type, request, value, index, data.baseAddress, UInt16(data.count),
        2000, count)
    }
  }

  func transfer(_ kind: Int32, _ endpoint: UInt8, data: [UInt8], milliseconds: UInt32 = 2000)
    -> (status: Int, bytes: [UInt8])
  {
    unsafe fill(data) { data, count in
      unsafe service.pointee.transfer(
        service.pointee.device, kind, endpoint, data.baseAddress, UInt32(data.count), milliseconds,
        count)
    }
  }

  func submit(_ kind: Int32, _ endpoint: UInt8, length: Int) -> (status: Int, ticket: UInt32) {
    var ticket: UInt32 = 0
    let status = unsafe service.pointee.submit_read(
      service.pointee.device, kind, endpoint, UInt32(length), &ticket)
    return (Int(status), ticket)
  }

  func wait(_ ticket: UInt32, length: Int, milliseconds: UInt32 = 2000)
    -> (status: Int, bytes: [UInt8])
  {
    unsafe fill([UInt8](repeating: 0, count: length)) { data, count in
      unsafe service.pointee.wait(
        service.pointee.device, ticket, milliseconds, data.baseAddress, UInt32(length), count)
    }
  }

  func cancel(_ ticket: UInt32) -> Int {
    unsafe Int(service.pointee.cancel(service.pointee.device, ticket))
  }

  func interrupt() {
    unsafe service.pointee.interrupt(service.pointee.device)
  }

  private func fill(
    _ data: [UInt8],
    _ call: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutablePointer<UInt32>) -> ac_status_t
  ) -> (status: Int, bytes: [UInt8]) {
    var data = data
    var count: UInt32 = 0
    let status = unsafe data.withUnsafeMutableBufferPointer { unsafe call($0, &count) }
    return (Int(status), Array(data.prefix(Int(count))))
  }
}
