package import SensorKit

/// A configuration descriptor with those of its interfaces and endpoints (USB 2.0, section 9.6).
package enum ConfigurationDescriptor {
  /// Its interfaces in their first setting. What is damaged or cut off ends the list.
  package static func interfaces(_ bytes: [UInt8]) -> [USBInterfaceInfo] {
    var interfaces: [USBInterfaceInfo] = []
    var isFirstSetting = false
    var rest = bytes[...]
    while let length = rest.first.map({ Int($0) }), 2...rest.count ~= length {
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
