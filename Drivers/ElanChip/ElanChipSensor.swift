// ElanChip: Elan's sensors 04f3:… that compare prints themselves ("ELAN:ARM-M4").

public import AuthcoreABI
package import SensorKit

/// The one symbol of this driver, which Package.swift gives the name `ac_sensor_entry` (sensor.h).
@c(ElanChipDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(chip: ElanChipSensor.self, host: host, ret: ret_driver)
}

/// A chip of Elan's, open. It has ten slots; a search goes over all of them, and says which one
/// matched. What is in it is asked for afterwards.
package struct ElanChipSensor: ChipSensorDriver, ~Copyable {
  package static let description = SensorDescription(
    name: "elanchip", fullName: "Elan 04f3 match-on-chip sensors", version: "1",
    usbMatches: ElanChipFamily.products.keys.sorted().map {
      .init(vendor: ElanChipFamily.vendor, product: $0)
    },
    scanType: .press, traits: .matchesOnChip)

  private static let slots: UInt8 = 10

  private let port: ElanChipPort
  private let clock: HostClock
  private let family: ElanChipFamily
  private let touches: Int
  private let firmware: [UInt8]
  /// Good touches of the enrollment that is under way, and the templates there were before it.
  private var enrollment: (stored: UInt8, good: Int) = (0, 0)
  /// Whether the chip waits for a touch of the enrollment still, though the call has returned.
  private var awaitsTouch = false

  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let number = try usb.info().product
    guard let product = ElanChipFamily.products[number] else {
      throw SensorFailure(
        .unsupported,
        "This driver does not know the reader 04f3:\(String(number, radix: 16)); `authcore driver info elanchip` lists those it does"
      )
    }
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    let port = ElanChipPort(usb, clock: clock)
    var firmware: [UInt8] = []
    if product.family == .current {
      for _ in 0..<500 {
        let state = try port.ask([0x40, 0xFF, 0x00], length: 2, for: "its calibration")
        if state == [0x40, 3] { break }
        try context.interruption.wait(for: .milliseconds(20), on: clock)
      }
      try port.useMatching()
      firmware = try port.ask([0x40, 0x19], length: 2, for: "the firmware's version")
      _ = try port.ask([0x00, 0x0C], length: 4, for: "the size of the sensor")
    }
    _ = try Self.count(port)
    (self.port, self.clock, self.firmware) = (port, clock, firmware)
    (family, touches) = (product.family, product.touches)
  }

  /// Ends whatever the chip was doing. If that fails, the device is going away anyhow.
  deinit { try? port.send([0x40, 0xFF, 0x02], for: "the end") }

  package var deviceInfo: DeviceInfo? {
    DeviceInfo(
      scanType: .press,
      firmware: firmware.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  package var chip: ChipInfo {
    ChipInfo(
      abilities: [.keepsName, .lists, .knowsLift], capacity: Int(Self.slots),
      nameBytes: family.nameBytes, touches: touches)
  }

  package mutating func beginEnrollment(as name: ChipName) throws(SensorFailure) {
    enrollment = (try Self.count(port), 0)
    var isKnown = false
    if family == .current {
      let answer = try port.ask(
        ElanChipFamily.isKnown(name.bytes), length: 2, for: "the name of a template")
      isKnown = answer == [0x40, 1]
    }
    guard isKnown || enrollment.stored < Self.slots else { throw SensorFailure.chipIsFull }
  }

  package mutating func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch {
    let end = clock.now() + timeout
    if !awaitsTouch {
      try port.send(
        [0x40, 0xFF, 0x01, enrollment.stored, UInt8(touches), UInt8(enrollment.good), 0],
        for: "a touch")
      awaitsTouch = true
    }
    let code = try port.touch(until: end)
    awaitsTouch = false
    guard code == 0 else { return .retry(Self.reason(code)) }
    enrollment.good = min(touches, enrollment.good + 1)
    return .progress(percent: enrollment.good * 100 / touches)
  }

  package mutating func commit(as name: ChipName) throws(SensorFailure) -> ChipName {
    if case .older(_, true) = family {
      try port.send([0x00, 0x10, enrollment.stored], for: "the slot of a template")
    }
    try port.order(family.commit(name.bytes), to: "storing a template")
    return name
  }

  package mutating func identify(
    among names: [ChipName], timeout: Duration
  ) throws(SensorFailure) -> ChipMatch {
    let end = clock.now() + timeout
    if family == .current { try port.useMatching() }
    try port.send(family.search, for: "a touch")
    let code = try port.touch(until: end)
    if code == 0xFD { return .noMatch }
    guard code < Self.slots else { return .retry(Self.reason(code)) }
    guard let name = try name(inSlot: code) else {
      throw SensorFailure(
        .protocolViolation, "The reader says that an empty slot matched; try again")
    }
    return .match(name)
  }

  package mutating func list() throws(SensorFailure) -> [ChipName] {
    _ = try Self.count(port)
    var names: [ChipName] = []
    for index in 0..<Self.slots {
      if let name = try name(inSlot: index) { names.append(name) }
    }
    return names
  }

  package mutating func remove(_ name: ChipName) throws(SensorFailure) {
    let answer = try port.ask(family.delete(name.bytes), length: 2, for: "removing a template")
    if answer == [0x40, 0] { return }
    // The chip refuses a name that it does not have.
    guard try !list().contains(name) else {
      throw SensorFailure(.inputOutput, "The reader does not remove a template; try again")
    }
  }

  package mutating func settle(isWaiting: Bool, timeout: Duration) throws(SensorFailure) {
    guard isWaiting else { return }
    awaitsTouch = false
    try port.send([0x40, 0xFF, 0x02], for: "the end of a touch")
    try port.dropTouches()
    if family == .current { try port.useMatching() }
  }

  private func name(inSlot index: UInt8) throws(SensorFailure) -> ChipName? {
    let (command, length) = family.slot(index)
    let least = family == .current ? 2 : length
    let content = try port.ask(command, length: length, least: least, for: "a slot")
    return try family.name(in: content).map { bytes throws(SensorFailure) in try ChipName(bytes) }
  }

  private static func count(_ port: ElanChipPort) throws(SensorFailure) -> UInt8 {
    let answer = try port.ask([0x40, 0xFF, 0x04], length: 2, for: "the number of templates")
    guard answer[0] == 0x40, answer[1] <= slots else {
      throw SensorFailure(
        .protocolViolation, "The reader says that it holds \(answer[1]) templates")
    }
    return answer[1]
  }

  private static func reason(_ code: UInt8) -> RetryReason {
    switch code {
    case 0x41...0x44: .center
    case 0xFE: .tooShort
    default: .general
    }
  }
}
