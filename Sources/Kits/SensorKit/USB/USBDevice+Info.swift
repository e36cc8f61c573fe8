internal import AuthcoreABI

extension USBDevice {
  /// The device's descriptor and interfaces; use it to find the interface by its class.
  public func info() throws(SensorFailure) -> USBDeviceInfo {
    try unsafe USBDeviceInfo(
      device: { info throws(SensorFailure) in
        try unsafe call("Reading the device's descriptor") {
          unsafe $0.device_info($0.device, info)
        }
      },
      interface: { index, info throws(SensorFailure) in
        try unsafe call("Reading the descriptor of interface \(index)") {
          unsafe $0.interface_info($0.device, index, info)
        }
      })
  }
}
