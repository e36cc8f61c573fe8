internal import CLibfprint
internal import SensorKit

/// The readers that are connected and that libfprint knows.
@safe final class LibfprintReaders {
  private let context: UnsafeMutablePointer<FpContext>
  private let devices: [UnsafeMutablePointer<FpDevice>]

  init() throws(SensorFailure) {
    guard let context = unsafe fp_context_new() else {
      throw SensorFailure(.inputOutput, "libfprint does not start")
    }
    unsafe self.context = unsafe context
    unsafe fp_context_enumerate(context)
    // The array is the context's, and so are the devices in it, which are used as long as the
    // context is.
    guard let found = unsafe fp_context_get_devices(context)?.pointee else {
      unsafe devices = []
      return
    }
    unsafe devices = (0..<Int(found.len)).compactMap { index in
      unsafe found.pdata[index]?.assumingMemoryBound(to: FpDevice.self)
    }
  }

  deinit { unsafe g_object_unref(context) }

  /// Opens the reader with that number, counted from 1; without one, the only one that delivers
  /// images.
  func open(_ number: Int?) throws(SensorFailure) -> LibfprintDevice {
    guard unsafe !devices.isEmpty else {
      throw SensorFailure(
        .notFound,
        "libfprint finds no reader that it knows: plug one in, or see whether you may read and write its node in "
          + "/dev/bus/usb")
    }
    let usable = unsafe devices.indices.filter { unsafe Self.deliversImages(devices[$0]) }
    let chosen: Int
    if let number {
      guard unsafe devices.indices.contains(number - 1) else {
        throw SensorFailure(.option, "There is no reader \(number): \(list)")
      }
      chosen = number - 1
    } else if let first = usable.first {
      guard usable.count == 1 else {
        throw SensorFailure(
          .option, "libfprint finds several readers; choose one with reader=NUMBER: \(list)")
      }
      chosen = first
    } else {
      chosen = 0
    }
    guard usable.contains(chosen) else {
      throw SensorFailure(
        .unsupported,
        "\(name(chosen)) matches on the chip: it delivers no images, only verdicts of its own, which this driver does not "
          + "take")
    }
    return try unsafe LibfprintDevice(devices[chosen], name: name(chosen), of: self)
  }

  private var list: String {
    unsafe devices.indices.map { "\($0 + 1) is \(name($0))" }.joined(separator: ", ")
  }

  /// "AuthenTec AES2501 (aes2501)"
  private func name(_ index: Int) -> String {
    let device = unsafe devices[index]
    let driver = unsafe String(cString: fp_device_get_driver(device))
    return unsafe "\(String(cString: fp_device_get_name(device))) (\(driver))"
  }

  private static func deliversImages(_ device: UnsafeMutablePointer<FpDevice>) -> Bool {
    unsafe fp_device_has_feature(device, FP_DEVICE_FEATURE_CAPTURE) != 0
  }
}
