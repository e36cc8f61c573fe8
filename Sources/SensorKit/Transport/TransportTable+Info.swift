internal import AuthcoreABI

extension TransportTable {
  static func deviceInfo(_ device: OpaquePointer?, ret: UnsafeMutablePointer<ac_usb_device_info_t>?)
    -> ac_status_t
  {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let info = device.info
      unsafe ret.pointee = ac_usb_device_info_t(
        struct_size: UInt32(MemoryLayout<ac_usb_device_info_t>.size), vendor_id: info.vendor,
        product_id: info.product, bcd_device: info.release, bus: info.bus, address: info.address,
        interface_count: UInt8(clamping: info.interfaces.count))
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
      let interface = interfaces[Int(index)]
      var info = ac_usb_interface_info_t()
      info.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
      info.number = interface.number
      info.class_code = interface.classCode
      info.subclass_code = interface.subclassCode
      info.protocol_code = interface.protocolCode
      info.endpoint_count = UInt8(clamping: min(interface.endpoints.count, 30))
      unsafe withUnsafeMutableBytes(of: &info.endpoints) { addresses in
        for (position, address) in zip(addresses.indices, interface.endpoints) {
          unsafe addresses[position] = address
        }
      }
      unsafe ret.pointee = info
    }
  }
}
