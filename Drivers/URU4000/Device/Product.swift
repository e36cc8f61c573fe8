internal import FrameAssembly
internal import SensorKit

/// The readers of this family; they differ in how they wake up and how they are mounted.
struct Product {
  /// idVendor
  let vendor: UInt16
  /// idProduct
  let product: UInt16
  /// Wakes up only after the host has proved itself; see ``Wake``.
  var challenges = false
  /// Frames lie upside down and mirrored, against those of the others.
  var isTurned = false

  static let all = [
    Product(vendor: 0x045E, product: 0x00BB),  // Microsoft keyboard with reader
    Product(vendor: 0x045E, product: 0x00BC),  // Microsoft wireless IntelliMouse with reader
    Product(vendor: 0x045E, product: 0x00BD),  // Microsoft Fingerprint Reader
    Product(vendor: 0x045E, product: 0x00CA, challenges: true),  // Microsoft Fingerprint Reader v2
    Product(vendor: 0x05BA, product: 0x0007),  // U.are.U 4000
    Product(vendor: 0x05BA, product: 0x0008),  // U.are.U 4000 in a keyboard
    Product(vendor: 0x05BA, product: 0x000A, isTurned: true),  // U.are.U 4000B and 4500
  ]

  /// How a frame lies. That only one product is turned is a convention of libfprint, kept so that
  /// frames compare.
  var layout: FrameLayout {
    isTurned ? [.inverted, .flippedHorizontally, .flippedVertically] : .inverted
  }

  /// Finds the product that a device is.
  static func of(_ info: USBDeviceInfo) throws(SensorFailure) -> Product {
    guard let known = all.first(where: { $0.vendor == info.vendor && $0.product == info.product })
    else {
      throw SensorFailure(
        .unsupported,
        "The device is no U.are.U 4000 or 4500 and no Microsoft reader; "
          + "`authcore driver list` names the drivers there are")
    }
    return known
  }

  /// On products with a keyboard or a mouse the reader is not the first interface.
  static func interface(of info: USBDeviceInfo) throws(SensorFailure) -> UInt8 {
    let found = info.interfaces.first { interface in
      interface.classCode == 0xFF && interface.subclassCode == 0xFF
        && interface.protocolCode == 0xFF && interface.endpoints.contains(0x81)
        && interface.endpoints.contains(0x82)
    }
    guard let found else {
      throw SensorFailure(
        .protocolViolation,
        "The device has no interface ff/ff/ff with endpoints 0x81 and 0x82, as these readers have; "
          + Registers.wayOut)
    }
    return found.number
  }
}
