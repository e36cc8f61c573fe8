// ElanChip: Elan's sensors 04f3:… that compare prints themselves ("ELAN:ARM-M4").

package import SensorKit

/// A chip of Elan's, open. It has ten slots; a search goes over all of them, and says which one
/// matched. What is in it is asked for afterwards.
package struct ElanChipSensor: ChipSensorDriver, ~Copyable {
  package static let description = SensorDescription(
    name: "elanchip", fullName: "Elan 04f3 match-on-chip sensors", version: "1",
    usbMatches: ElanChipFamily.products.flatMap { product in
      product.numbers.map { .init(vendor: ElanChipFamily.vendor, product: $0) }
    },
    scanType: .press, traits: .matchesOnChip)

  private static let slots: UInt8 = 10
  private static let readyState: UInt8 = 3

  private let port: ElanChipPort
  private let clock: HostClock
  private let family: ElanChipFamily
  private let touches: Int
  private let firmware: [UInt8]
  /// Good touches of the enrollment that is under way, and the templates there were before it.
  private var enrollment: (stored: UInt8, good: Int) = (0, 0)
  /// Whether the chip waits for a finger on behalf of a call that has returned.
  private var isWaiting = false

  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let number = try usb.info().product
    guard let product = ElanChipFamily.products.first(where: { $0.numbers.contains(number) })
    else {
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
      try Self.awaitCalibration(port, context.interruption, clock)
      try port.order([0x40, 0xFF, 0x14, 0x03], to: "matching on the chip")
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
      abilities: [.keepsName, .lists, .clears, .knowsLift], capacity: Int(Self.slots),
      nameBytes: family.nameBytes, touches: touches)
  }

  package mutating func beginEnrollment(as name: ChipName) throws(SensorFailure) {
    try settle()
    enrollment = (try Self.count(port), 0)
    guard family == .current else {
      guard enrollment.stored < Self.slots else { throw Self.full }
      return
    }
    let answer = try port.ask(
      ElanChipFamily.isKnown(name.bytes), length: 2, for: "the name of a template")
    guard answer[0] == 0x40, answer[1] <= 1 else {
      throw SensorFailure(.protocolViolation, "The reader does not take the name of a template")
    }
    guard answer[1] == 1 || enrollment.stored < Self.slots else { throw Self.full }
  }

  package mutating func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch {
    let end = clock.now() + timeout
    if !isWaiting {
      try port.send(
        [0x40, 0xFF, 0x01, enrollment.stored, UInt8(touches), UInt8(enrollment.good), 0],
        for: "a touch")
      isWaiting = true
    }
    let code = try awaitTouch(until: end)
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

  package mutating func abandonEnrollment() throws(SensorFailure) {
    isWaiting = true
    try settle()
  }

  package mutating func identify(
    among names: [ChipName], timeout: Duration
  ) throws(SensorFailure) -> ChipMatch {
    let end = clock.now() + timeout
    try settle()
    if family == .current {
      try port.order([0x40, 0xFF, 0x14, 0x03], to: "matching on the chip")
    }
    try port.send(family.search, for: "a touch")
    isWaiting = true
    let code = try awaitTouch(until: end)
    if code == 0xFD { return .noMatch }
    guard code < Self.slots else { return .retry(Self.reason(code)) }
    guard let name = try name(inSlot: code) else {
      throw SensorFailure(
        .protocolViolation, "The reader says that an empty slot matched; try again")
    }
    return .match(name)
  }

  package mutating func list() throws(SensorFailure) -> [ChipName] {
    try settle()
    _ = try Self.count(port)
    var names: [ChipName] = []
    for index in 0..<Self.slots {
      if let name = try name(inSlot: index) { names.append(name) }
    }
    return names
  }

  package mutating func remove(_ name: ChipName) throws(SensorFailure) {
    try settle()
    let answer = try port.ask(family.delete(name.bytes), length: 2, for: "removing a template")
    if answer == [0x40, 0] { return }
    // The chip refuses a name that it does not have.
    guard try !list().contains(name) else {
      throw SensorFailure(.inputOutput, "The reader does not remove a template; try again")
    }
  }

  /// The command that wipes all was never seen on a device, so that each is removed by itself.
  package mutating func clear() throws(SensorFailure) {
    for name in try list() { try remove(name) }
    guard try list().isEmpty else {
      throw SensorFailure(.inputOutput, "The reader does not remove all templates; try again")
    }
  }

  /// Has the chip forget a touch that it waits for.
  private mutating func settle() throws(SensorFailure) {
    guard isWaiting else { return }
    try port.send([0x40, 0xFF, 0x02], for: "the end of a touch")
    try port.dropTouches()
    if family == .current {
      try port.order([0x40, 0xFF, 0x14, 0x03], to: "matching on the chip")
    }
    isWaiting = false
  }

  private mutating func awaitTouch(until end: Duration) throws(SensorFailure) -> UInt8 {
    let code = try port.touch(until: end)
    isWaiting = false
    return code
  }

  private func name(inSlot index: UInt8) throws(SensorFailure) -> ChipName? {
    let (command, length) = family.slot(index)
    let least = family == .current ? 2 : length
    let content = try port.ask(command, length: length, least: least, for: "a slot")
    return try family.name(in: content).map { bytes throws(SensorFailure) in try ChipName(bytes) }
  }

  /// A chip that was just plugged in may calibrate itself.
  private static func awaitCalibration(
    _ port: ElanChipPort, _ interruption: Interruption, _ clock: HostClock
  ) throws(SensorFailure) {
    for _ in 0..<500 {
      let answer = try port.ask([0x40, 0xFF, 0x00], length: 2, for: "the state of calibration")
      if answer == [0x40, readyState] { return }
      try interruption.wait(for: .milliseconds(20), on: clock)
    }
    throw SensorFailure(
      .inputOutput, "The reader does not finish its calibration; unplug it and plug it in again")
  }

  private static func count(_ port: ElanChipPort) throws(SensorFailure) -> UInt8 {
    let answer = try port.ask([0x40, 0xFF, 0x04], length: 2, for: "the number of templates")
    guard answer[0] == 0x40, answer[1] <= slots else {
      throw SensorFailure(
        .protocolViolation, "The reader says that it holds \(answer[1]) templates")
    }
    return answer[1]
  }

  private static var full: SensorFailure {
    SensorFailure(.full, "The reader has no room for another finger; remove one first")
  }

  private static func reason(_ code: UInt8) -> RetryReason {
    switch code {
    case 0x41...0x44: .center
    case 0xFE: .tooShort
    default: .general
    }
  }
}
