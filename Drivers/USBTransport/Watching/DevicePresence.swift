package import SensorKit

/// What has been told of the devices that are there, and what is still to be told.
package struct DevicePresence {
  private var told: Set<USBPlacement> = []
  private var untold: [USBChange] = []
  private var isSettled = false

  package init() {}

  /// The next thing to tell.
  package mutating func next() -> USBChange? {
    untold.isEmpty ? nil : untold.removeFirst()
  }

  /// These are there at this time, in the order they will be told. After the first time everything
  /// is settled.
  package mutating func update(_ devices: [USBPlacement]) {
    let gone = told.subtracting(devices).sorted { ($0.bus, $0.address) < ($1.bus, $1.address) }
    // A device that leaves makes room for the one that comes to its place.
    untold += gone.map { .left($0) }
    untold += devices.filter { !told.contains($0) }.map { .arrived($0) }
    told = Set(devices)
    if !isSettled {
      untold.append(.settled)
      isSettled = true
    }
  }
}
