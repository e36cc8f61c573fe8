internal import AuthcoreABI

extension USBDevice {
  /// The device's descriptor and interfaces; use it to find the interface by its class.
  public func info() throws(SensorFailure) -> USBDeviceInfo {
    var device = ac_usb_device_info_t()
    device.struct_size = UInt32(MemoryLayout<ac_usb_device_info_t>.size)
    try unsafe call("Reading the device's descriptor") { unsafe $0.device_info($0.device, &device) }
    var interfaces: [USBInterfaceInfo] = []
    for index in 0..<device.interface_count {
      var interface = ac_usb_interface_info_t()
      interface.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
      try unsafe call("Reading the descriptor of interface \(index)") {
        unsafe $0.interface_info($0.device, index, &interface)
      }
      let addresses = unsafe withUnsafeBytes(of: interface.endpoints) { unsafe Array($0) }
      interfaces.append(
        USBInterfaceInfo(
          number: interface.number, classCode: interface.class_code,
          subclassCode: interface.subclass_code, protocolCode: interface.protocol_code,
          endpoints: Array(addresses.prefix(Int(interface.endpoint_count)))))
    }
    return USBDeviceInfo(
      vendor: device.vendor_id, product: device.product_id, release: device.bcd_device,
      bus: device.bus, address: device.address, interfaces: interfaces)
  }
}
