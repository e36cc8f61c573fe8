// Synaptics: sensors 06cb:… that compare prints themselves ("Prometheus" and relatives).

public import AuthcoreABI
package import SensorKit

/// The one symbol of this driver, which Package.swift gives the name `ac_sensor_entry` (sensor.h).
@c(SynapticsDriver_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(chip: SynapticsSensor.self, host: host, ret: ret_driver)
}

/// A chip of Synaptics', open. Every operation is one command and the answers to it. A template is
/// stored under a name and the number of a finger, which is always 1 here.
package struct SynapticsSensor: ChipSensorDriver, ~Copyable {
  package static let description = SensorDescription(
    name: "synaptics", fullName: "Synaptics 06cb match-on-chip sensors", version: "1",
    usbMatches: products.map { .init(vendor: 0x06CB, product: $0) }, scanType: .press,
    traits: .matchesOnChip)

  private static let products: [UInt16] = [
    0x00BD, 0x00C2, 0x00C4, 0x00C6, 0x00DF, 0x00F0, 0x00F9, 0x00FC, 0x0100, 0x0103, 0x0104, 0x0106,
    0x0107, 0x0108, 0x0109, 0x010A, 0x010D, 0x010E, 0x0123, 0x0124, 0x0126, 0x0129, 0x015F, 0x0168,
    0x0169, 0x016C, 0x0173, 0x0174, 0x019D, 0x019F, 0x01A0, 0x01A4,
  ]
  private static let finger: UInt8 = 1
  /// How long a step takes for which no finger is needed.
  private static let stepTime = Duration.seconds(8)

  private var port: SynapticsPort
  private let host: DriverServices
  private let clock: HostClock
  private let version: String
  /// Percent of the enrollment that is under way, and how many of them were reported.
  private var enrollment = (percent: 0, reported: 0)

  package init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    var port = SynapticsPort(usb, clock: clock)
    let version = try port.version()
    // The first makes a chip ready that was not, and the second finds that out. A busy chip has its
    // operation ended.
    for _ in 0..<3 {
      let answer = try port.send(.initialize)
      if answer.result == .alreadyInitialized { break }
      if answer.result == .busy { _ = try port.send(.cancel, continues: true) }
      if answer.failure != nil, answer.result != .busy { throw Self.failure(answer, "starting") }
    }
    (self.port, self.clock, self.version, host) = (port, clock, version, context.host)
  }

  /// Lets the chip sleep. If that fails, the device is going away anyhow.
  deinit {
    var port = port
    _ = try? port.send(.powerDown)
  }

  package var deviceInfo: DeviceInfo? { DeviceInfo(scanType: .press, firmware: version) }

  package var chip: ChipInfo {
    ChipInfo(
      abilities: [.keepsName, .lists, .clears, .filters, .knowsLift], capacity: 15, nameBytes: 64,
      touches: 8)
  }

  package mutating func beginEnrollment(as name: ChipName) throws(SensorFailure) {
    let answer = try port.send(.enroll, [0, Self.finger] + name.bytes)
    guard answer.code == .enrollmentReady else { throw Self.failure(answer, "enrolling") }
    enrollment = (0, 0)
  }

  package mutating func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch {
    let end = clock.now() + timeout
    // The progress comes before the finger has left, or after it.
    while enrollment.percent == enrollment.reported || port.fingerIsOn {
      let message = try port.next(until: end)
      if message.failure != nil { throw Self.failure(message, "enrolling") }
      guard message.code == .progress else { continue }
      let percent = message.payload.count == 1 ? Int(message.payload[0]) : -1
      guard enrollment.percent...100 ~= percent
      else { throw SynapticsPort.wrong("its progress goes back") }
      if enrollment.percent == percent { return .retry(.general) }
      enrollment.percent = percent
      if port.fingerIsOn { host.askToLift() }
    }
    enrollment.reported = enrollment.percent
    return .progress(percent: enrollment.percent)
  }

  package mutating func commit(as name: ChipName) throws(SensorFailure) -> ChipName {
    let message = try finish(with: .enrolled, "storing a template")
    guard message.code == .enrolled, message.payload.first == Self.finger else {
      throw SynapticsPort.wrong("it stored no template, or that of another finger")
    }
    return try ChipName(message.payload.dropFirst())
  }

  package mutating func identify(
    among names: [ChipName], timeout: Duration
  ) throws(SensorFailure) -> ChipMatch {
    let end = clock.now() + timeout
    var answer =
      names.count == 1
      ? try port.send(.verify, names[0].bytes)
      : try port.send(.identify, [UInt8(clamping: names.count)] + Self.part(names[0]))
    for name in names.dropFirst() where answer.code == .identifyMore {
      answer = try port.send(.identifyNext, Self.part(name), continues: true)
    }
    while answer.failure == nil, ![.verified, .identified].contains(answer.code) {
      answer = try port.next(until: end)
    }
    switch answer.result {
    case .badTouch: return .retry(.general)
    case .noMatch, .notStored, .empty: return .noMatch
    default:
      guard answer.failure == nil else { throw Self.failure(answer, "comparing") }
      guard answer.payload.count > 3, answer.payload[2] == Self.finger
      else { throw SynapticsPort.wrong("a match without a name") }
      return .match(try ChipName(answer.payload.dropFirst(3)))
    }
  }

  /// Each message of the answer says how many parts there are and which it is; a record is its length,
  /// a status, the finger and the name.
  package mutating func list() throws(SensorFailure) -> [ChipName] {
    var names: [ChipName] = []
    var message = try port.send(.list)
    while message.code == .listed, names.count < Int(UInt8.max) {
      guard message.payload.count >= 2 else { throw SynapticsPort.wrong("a list without parts") }
      var records = message.payload.dropFirst(2)
      while let length = records.first {
        guard length > 2, records.count > Int(length) else {
          throw SynapticsPort.wrong("a list of templates is cut")
        }
        let name = try ChipName(records.dropFirst(3).prefix(Int(length) - 2))
        if !names.contains(name) { names.append(name) }
        records = records.dropFirst(Int(length) + 1)
      }
      message = try port.send(.listNext, continues: true)
    }
    guard message.code == .listEnd || message.result == .empty else {
      throw Self.failure(message, "its templates")
    }
    return names
  }

  package mutating func remove(_ name: ChipName) throws(SensorFailure) {
    let first = try port.send(.delete, [Self.finger] + name.bytes)
    try finish(first, with: .deleted, "removing a template")
  }

  package mutating func clear() throws(SensorFailure) {
    try finish(try port.send(.deleteAll), with: .allDeleted, "removing all templates")
  }

  /// Fetches the answers of an operation that needs no finger. What is not there is removed already.
  @discardableResult
  private mutating func finish(
    _ first: SynapticsMessage? = nil, with last: SynapticsMessage.Code, _ purpose: String
  ) throws(SensorFailure) -> SynapticsMessage {
    let end = clock.now() + Self.stepTime
    var answer = if let first { first } else { try port.next(until: end) }
    while answer.code != last, ![.empty, .notStored].contains(answer.result) {
      if answer.failure != nil { throw Self.failure(answer, purpose) }
      answer = try port.next(until: end)
    }
    return answer
  }

  /// Also waits until the finger of the last operation has left.
  package mutating func settle(isWaiting: Bool, timeout: Duration) throws(SensorFailure) {
    let end = clock.now() + timeout
    if isWaiting {
      // It may take a second to say that it no longer waits.
      let cancelled = max(end, clock.now() + .seconds(1))
      var answer = try port.send(.cancel, endsEarlier: true)
      while ![.cancelled, .cannotCancel].contains(answer.code) {
        answer = try port.next(until: cancelled)
      }
    }
    if port.fingerIsOn { host.askToLift() }
    while port.fingerIsOn { _ = try port.next(until: end) }
  }

  private static func part(_ name: ChipName) -> [UInt8] {
    [1, UInt8(name.bytes.count)] + name.bytes
  }

  private static func failure(_ message: SynapticsMessage, _ purpose: String) -> SensorFailure {
    switch message.result {
    case .full: .chipIsFull
    case .known: SensorFailure(.exists, "The reader has this finger already")
    default:
      SensorFailure(
        .inputOutput,
        "The reader reports failure \(message.failure ?? 0) when asked for \(purpose); try again")
    }
  }
}
