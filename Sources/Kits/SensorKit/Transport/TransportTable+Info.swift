internal import AuthcoreABI

extension TransportTable {
  static func deviceInfo(_ device: OpaquePointer?, ret: UnsafeMutablePointer<ac_usb_device_info_t>?)
    -> ac_status_t
  {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      unsafe device.info.fill(ret)
    }
  }

  static func interfaceInfo(
    _ device: OpaquePointer?, index: UInt8, ret: UnsafeMutablePointer<ac_usb_interface_info_t>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let interfaces = device.info.interfaces
      guard Int(index) < interfaces.count else {
        throw SensorFailure(.notFound, "The device has \(interfaces.count) interfaces")
      }
      unsafe interfaces[Int(index)].fill(ret)
    }
  }
}
