internal import SensorKit

/// A product of which one revision speaks this protocol. The others hand out what a bare sensor
/// sees, stripe by stripe.
enum UPEKProduct {
  private static let vendor: UInt16 = 0x147E
  private static let known: [(product: UInt16, release: UInt16)] = [
    (0x2016, 0x0002), (0x2020, 0x0001),
  ]

  static var matches: [SensorDescription.USBMatch] {
    known.map {
      .init(vendor: vendor, product: $0.product, releases: $0.release...$0.release)
    }
  }

  /// Makes sure that a device is one of them.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported``, naming the revision it has and the one it should
  ///   have.
  static func check(_ info: USBDeviceInfo) throws(SensorFailure) {
    guard info.vendor == vendor, let known = known.first(where: { $0.product == info.product })
    else {
      throw SensorFailure(
        .unsupported,
        "The device is no UPEK reader that this driver knows (USB 147e:2016 or 147e:2020): choose another driver, or another device"
      )
    }
    guard info.release == known.release else {
      throw SensorFailure(
        .unsupported,
        "This UPEK reader has revision \(digits(info.release)); of USB 147e:\(digits(info.product)) only revision \(digits(known.release)) speaks the protocol of this driver"
      )
    }
  }

  /// A number as `lsusb` shows it: `2016`.
  private static func digits(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
