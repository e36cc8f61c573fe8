import AuthcoreABI

/// What a call of usb/1 came to.
struct USBOutcome: Equatable {
  let status: Int
  var bytes: [UInt8] = []
}

extension LoadedTransport {
  func claim(_ number: UInt8) -> Int {
    unsafe Int(service.pointee.claim_interface(service.pointee.device, number))
  }

  func read(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, length: UInt16
  ) -> USBOutcome {
    unsafe fill(Int(length)) { bytes, count in
      unsafe service.pointee.control(
        service.pointee.device, type, request, value, index, bytes, length, 1000, count)
    }
  }

  func write(
    _ type: UInt8, _ request: UInt8, _ value: UInt16, _ index: UInt16, _ data: [UInt8] = []
  ) -> Int {
    var data = data
    var count: UInt32 = 0
    let length = UInt16(data.count)
    return unsafe Int(
      service.pointee.control(
        service.pointee.device, type, request, value, index, &data, length, 1000, &count))
  }

  /// A blocking read or, with bit 7 of the endpoint clear, a write of zeros.
  func transfer(
    _ type: Int, _ endpoint: UInt8, length: Int, timeout: UInt32 = 1000
  ) -> USBOutcome {
    unsafe fill(length) { bytes, count in
      unsafe service.pointee.transfer(
        service.pointee.device, ac_usb_endpoint_type_t(type), endpoint, bytes, UInt32(length),
        timeout, count)
    }
  }

  func submit(_ type: Int, _ endpoint: UInt8, length: UInt32) -> (status: Int, ticket: UInt32) {
    var ticket: UInt32 = 0
    let status = unsafe service.pointee.submit_read(
      service.pointee.device, ac_usb_endpoint_type_t(type), endpoint, length, &ticket)
    return (Int(status), ticket)
  }

  func wait(_ ticket: UInt32, capacity: Int, timeout: UInt32 = 1000) -> USBOutcome {
    unsafe fill(capacity) { bytes, count in
      unsafe service.pointee.wait(
        service.pointee.device, ticket, timeout, bytes, UInt32(capacity), count)
    }
  }

  func cancel(_ ticket: UInt32) -> Int {
    unsafe Int(service.pointee.cancel(service.pointee.device, ticket))
  }

  func clearHalt(_ endpoint: UInt8) -> Int {
    unsafe Int(service.pointee.clear_halt(service.pointee.device, endpoint))
  }

  func interrupt() {
    unsafe service.pointee.interrupt(service.pointee.device)
  }

  private func fill(
    _ capacity: Int,
    _ call: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) -> ac_status_t
  ) -> USBOutcome {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { unsafe call($0.baseAddress, &count) }
    return USBOutcome(status: Int(status), bytes: Array(bytes.prefix(Int(count))))
  }
}
