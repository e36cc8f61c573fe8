package import Protocol

/// A connected device and the driver that handles it.
package struct Reader: Equatable, Sendable {
  /// The first driver of the search path that handles the device.
  package let driver: InstalledDriver
  package let device: USBPresence

  /// Puts the two together.
  package init(driver: InstalledDriver, device: USBPresence) {
    (self.driver, self.device) = (driver, device)
  }

  /// The readers among the connected devices, the one to use first in front: the preferred one,
  /// then external ones in the order they came, then built-in ones.
  /// - Parameters:
  ///   - drivers: in the order of the search path; of two that claim a device the first has it.
  ///   - devices: what is connected.
  ///   - preferred: what the person chose.
  /// - Returns: one for each device that a driver handles.
  package static func all(
    drivers: [InstalledDriver], devices: [USBPresence], preferred: ReaderPreference? = nil
  ) -> [Reader] {
    var readers: [Reader] = []
    for device in devices {
      guard let driver = drivers.first(where: { $0.handles(device) }) else { continue }
      readers.append(Reader(driver: driver, device: device))
    }
    func rank(_ reader: Reader) -> Int {
      if preferred?.means(reader) == true { return 0 }
      return reader.device.place == .builtIn ? 2 : 1
    }
    // Sorting is not stable; ranks are few.
    return (0...2).flatMap { wanted in readers.filter { rank($0) == wanted } }
  }
}
