internal import AuthcoreABI
internal import Synchronization

/// What the C table of `match-on-chip/1` needs of an open sensor, whatever its driver's type.
protocol ChipBox: AnyObject {
  var chip: ChipInfo { get }
  func enroll(as name: ChipName) throws(SensorFailure)
  func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch
  func commit() throws(SensorFailure) -> ChipName
  func abandon() throws(SensorFailure)
  func identify(among names: [ChipName], timeout: Duration) throws(SensorFailure) -> ChipMatch
  func list() throws(SensorFailure) -> [ChipName]
  func remove(_ name: ChipName) throws(SensorFailure)
  func clear() throws(SensorFailure)
}

/// The open device of one driver type that matches on the chip. Owns the order of calls.
final class OpenChipOf<Driver: ChipSensorDriver & ~Copyable>: OpenSensorOf<Driver>, ChipBox {
  private let clock: HostClock
  private var enrollment: (name: ChipName, percent: Int)?
  /// Whether the chip may wait for a finger, or hold touches, for a call that is over.
  private var isWaiting = false

  var chip: ChipInfo { driver.chip }

  override init(options: borrowing SensorOptions, host: DriverServices) throws(SensorFailure) {
    clock = try host.clock()
    try super.init(options: options, host: host)
  }

  func enroll(as name: ChipName) throws(SensorFailure) {
    guard name.bytes.count <= chip.nameBytes else {
      throw SensorFailure(
        .argument, "The chip stores names of at most \(chip.nameBytes) bytes")
    }
    try settle()
    try driver.beginEnrollment(as: name)
    enrollment = (name, 0)
  }

  func touch(timeout: Duration) throws(SensorFailure) -> ChipTouch {
    guard let begun = enrollment else { throw Self.noEnrollment }
    try interruption.check()
    do throws(SensorFailure) {
      let touch = try driver.touch(timeout: timeout)
      if case .progress(let percent) = touch {
        guard begun.percent...100 ~= percent else {
          throw SensorFailure(
            .protocolViolation,
            "The reader says that the enrollment is at \(percent) % after \(begun.percent) %")
        }
        enrollment = (begun.name, percent)
      }
      return touch
    } catch {
      if error.code != .timeout, error.code != .interrupted { leaveEnrollment() }
      throw error
    }
  }

  func commit() throws(SensorFailure) -> ChipName {
    guard let (name, percent) = enrollment, percent == 100 else { throw Self.noEnrollment }
    do throws(SensorFailure) {
      let stored = try driver.commit(as: name)
      guard stored == name || !chip.abilities.contains(.keepsName) else {
        throw SensorFailure(
          .protocolViolation, "The reader stored the template under another name than it was given")
      }
      enrollment = nil
      return stored
    } catch {
      leaveEnrollment()
      throw error
    }
  }

  func abandon() throws(SensorFailure) {
    guard enrollment != nil || isWaiting else { return }
    try settle()
  }

  func identify(among names: [ChipName], timeout: Duration) throws(SensorFailure) -> ChipMatch {
    let filters = chip.abilities.contains(.filters)
    guard !filters || !names.isEmpty else {
      throw SensorFailure(.argument, "This chip compares only with templates that are named")
    }
    try interruption.check()
    let end = clock.now() + timeout
    try settle(timeout)
    isWaiting = true
    let answer = try driver.identify(among: names, timeout: max(.zero, end - clock.now()))
    isWaiting = false
    if case .match(let name) = answer, filters, !names.contains(name) {
      throw SensorFailure(
        .protocolViolation, "The reader answered with a template that it was not asked for")
    }
    return answer
  }

  func list() throws(SensorFailure) -> [ChipName] {
    try settle()
    return try driver.list()
  }

  func remove(_ name: ChipName) throws(SensorFailure) {
    try settle()
    try driver.remove(name)
  }

  func clear() throws(SensorFailure) {
    try settle()
    try driver.clear()
  }

  private func settle(_ timeout: Duration = .seconds(8)) throws(SensorFailure) {
    if enrollment != nil { leaveEnrollment() }
    try driver.settle(isWaiting: isWaiting, timeout: timeout)
    isWaiting = false
  }

  /// The call that failed has its deadline: the next one has the chip forget the touches.
  private func leaveEnrollment() { (enrollment, isWaiting) = (nil, true) }

  private static var noEnrollment: SensorFailure {
    SensorFailure(.state, "No enrollment is under way that could go on")
  }
}

/// The C side of ``ChipSensorDriver``: the table of `match-on-chip/1`.
enum ChipTable {
  @safe private static let table = unsafe Mutex<UnsafePointer<ac_match_on_chip_extension_t>>(
    immortal(
      ac_match_on_chip_extension_t(
        struct_size: UInt32(MemoryLayout<ac_match_on_chip_extension_t>.size),
        info: { unsafe ChipTable.info($0, ret: $1) },
        enroll: { sensor, name in
          unsafe perform(sensor) { chip throws(SensorFailure) in
            try chip.enroll(as: unsafe ChipTable.name(name))
          }
        },
        touch: { unsafe ChipTable.touch($0, milliseconds: $1, ret: $2) },
        commit: { sensor, ret in
          unsafe perform(sensor, needing: ret != nil) { chip throws(SensorFailure) in
            let name = try chip.commit()
            unsafe ret?.pointee = ac_chip_id_t(name)
          }
        },
        abandon: { sensor in
          unsafe perform(sensor) { chip throws(SensorFailure) in try chip.abandon() }
        },
        identify: { unsafe ChipTable.identify($0, $1, milliseconds: $2, ret: $3) },
        list: { unsafe ChipTable.list($0, ret: $1, capacity: $2, count: $3) },
        remove: { sensor, name in
          unsafe perform(sensor) { chip throws(SensorFailure) in
            try chip.remove(unsafe ChipTable.name(name))
          }
        },
        clear: { sensor in
          unsafe perform(sensor) { chip throws(SensorFailure) in try chip.clear() }
        })))

  /// The table under its name; nil for any other.
  static func find(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let name = unsafe name, unsafe String(cString: name) == AC_MATCH_ON_CHIP_EXTENSION else {
      return nil
    }
    return unsafe table.withLock { unsafe UnsafeRawPointer($0) }
  }

  private static func info(
    _ sensor: OpaquePointer?, ret: UnsafeMutablePointer<ac_chip_info_t>?
  ) -> ac_status_t {
    let fits = unsafe has(ret?.pointee.struct_size, ac_chip_info_t.self)
    return unsafe perform(sensor, needing: fits) { chip throws(SensorFailure) in
      let info = chip.chip
      unsafe ret?.pointee.abilities = info.abilities.rawValue
      unsafe ret?.pointee.capacity = UInt32(clamping: info.capacity)
      unsafe ret?.pointee.id_bytes = UInt32(clamping: info.nameBytes)
      unsafe ret?.pointee.touches = UInt32(clamping: info.touches)
    }
  }

  private static func touch(
    _ sensor: OpaquePointer?, milliseconds: UInt32, ret: UnsafeMutablePointer<ac_chip_progress_t>?
  ) -> ac_status_t {
    let fits = unsafe has(ret?.pointee.struct_size, ac_chip_progress_t.self)
    var status = ac_status_t(AC_OK)
    let failure = unsafe perform(sensor, needing: fits) { chip throws(SensorFailure) in
      switch try chip.touch(timeout: .milliseconds(milliseconds)) {
      case .progress(let percent): unsafe ret?.pointee.percent = UInt32(percent)
      case .retry(let reason): status = reason.rawValue
      }
    }
    return failure == ac_status_t(AC_OK) ? status : failure
  }

  private static func identify(
    _ sensor: OpaquePointer?, _ question: UnsafePointer<ac_chip_question_t>?, milliseconds: UInt32,
    ret: UnsafeMutablePointer<ac_chip_answer_t>?
  ) -> ac_status_t {
    let fits =
      unsafe has(ret?.pointee.struct_size, ac_chip_answer_t.self)
      && has(question?.pointee.struct_size, ac_chip_question_t.self)
    var status = ac_status_t(AC_OK)
    let failure = unsafe perform(sensor, needing: fits) { chip throws(SensorFailure) in
      guard let question = unsafe question?.pointee else { return }
      let count = unsafe Int(question.id_count)
      guard count <= Int(AC_CHIP_MAX_TEMPLATES), unsafe count == 0 || question.ids != nil else {
        throw SensorFailure(.argument, "The host asks for \(count) templates in an impossible way")
      }
      var names: [ChipName] = []
      for index in 0..<count { names.append(try unsafe name(question.ids?.advanced(by: index))) }
      switch try chip.identify(among: names, timeout: .milliseconds(milliseconds)) {
      case .match(let name): unsafe ret?.pointee.match = ac_chip_id_t(name)
      case .noMatch: break
      case .retry(let reason): status = reason.rawValue
      }
    }
    return failure == ac_status_t(AC_OK) ? status : failure
  }

  private static func list(
    _ sensor: OpaquePointer?, ret: UnsafeMutablePointer<ac_chip_id_t>?, capacity: UInt32,
    count: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    let fits = unsafe count != nil && (ret != nil || capacity == 0)
    return unsafe perform(sensor, needing: fits) { chip throws(SensorFailure) in
      let names = try chip.list()
      guard names.count <= Int(capacity) else {
        throw SensorFailure(.memory, "The chip holds \(names.count) templates, too many to list")
      }
      for (index, name) in names.enumerated() { unsafe ret?[index] = ac_chip_id_t(name) }
      unsafe count?.pointee = UInt32(names.count)
    }
  }

  /// Makes one call, and turns a failure into its status and message.
  private static func perform(
    _ sensor: OpaquePointer?, needing isPossible: Bool = true,
    _ body: (any ChipBox) throws(SensorFailure) -> Void
  ) -> ac_status_t {
    guard isPossible, let sensor = unsafe sensor,
      let chip = unsafe SensorTable.openSensor(sensor) as? any ChipBox
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      try body(chip)
      return ac_status_t(AC_OK)
    } catch {
      unsafe exported.withLock { unsafe $0?.host }?.setError(error.message)
      return error.status
    }
  }

  private static func has<Struct>(_ size: UInt32?, _: Struct.Type) -> Bool {
    size.map { Int($0) >= MemoryLayout<Struct>.size } ?? false
  }

  private static func name(_ id: UnsafePointer<ac_chip_id_t>?) throws(SensorFailure) -> ChipName {
    guard let id = unsafe id, unsafe 1...UInt32(ChipName.longest) ~= id.pointee.count else {
      throw SensorFailure(.argument, "The host gives no proper name of a template")
    }
    return try unsafe ChipName(
      withUnsafeBytes(of: id.pointee.bytes) { unsafe Array($0.prefix(Int(id.pointee.count))) })
  }
}

extension ac_chip_id_t {
  init(_ name: ChipName) {
    self.init()
    count = UInt32(name.bytes.count)
    unsafe withUnsafeMutableBytes(of: &bytes) { unsafe $0.copyBytes(from: name.bytes) }
  }
}
