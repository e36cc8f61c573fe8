import AuthcoreABI
import DriverKit

/// The life of a template on a sensor that matches on the chip: enrolled, listed, found, removed.
struct ChipCheck {
  let loaded: LoadedTestDriver
  /// More touches than any enrollment takes.
  private static let mostTouches = 60

  func run() throws(CheckEnd) -> String? {
    let device = try loaded.plug()
    let sensor = try CheckedSensor.openHealthy(loaded, "a sound chip")
    let before = try Self.chip(of: sensor).list("of a sound chip")
    var (chip, stored, touches) = try Self.enroll(sensor)
    let after = try chip.list("after an enrollment")
    let made = ChipCalls.bytes(stored)
    guard after.count == before.count + 1, after.contains(made) else {
      throw .failed(
        "list does not name the template that commit stored",
        advice: "commit returns once the template is stored, with the name that list gives")
    }
    let answer = chip.identify([stored], 10_000)
    try chip.expectOK(answer.status, "identify", "of the enrolled finger")
    guard ChipCalls.bytes(answer.match) == made else {
      throw .failed("identify does not name the template of the finger that was enrolled")
    }
    try chip.expectOK(chip.remove(&stored), "remove", "of the template")
    try chip.expectOK(chip.remove(&stored), "remove", "of a template that is gone")
    guard try chip.list("after a removal") == before else {
      throw .failed("list names a template that was removed")
    }
    try sensor.close("after templates", device: device)
    return "\(touches) touches"
  }

  private static func chip(of sensor: CheckedSensor) throws(CheckEnd) -> ChipCalls {
    if let chip = sensor.chip { return chip }
    throw .failed(
      "its description has AC_SENSOR_MATCHES_ON_CHIP, and extension(\"match-on-chip/1\") is NULL")
  }

  /// Enrolls the finger of a sound chip.
  /// - Returns: the calls of the chip, the template's name, and how many touches it took.
  /// - Throws: what went wrong.
  static func enroll(
    _ sensor: CheckedSensor
  ) throws(CheckEnd) -> (chip: ChipCalls, name: ac_chip_id_t, touches: Int) {
    let chip = try chip(of: sensor)
    var name = ac_chip_id_t()
    name.count = 16
    unsafe withUnsafeMutableBytes(of: &name.bytes) { bytes in
      for index in 0..<16 { unsafe bytes[index] = UInt8(0xA1 + index) }
    }
    try chip.expectOK(chip.enroll(&name), "enroll", "of a sound chip")
    var touches = 0
    var percent: UInt32 = 0
    while percent < 100 {
      touches += 1
      let touch = try sensor.capture(10_000, "number \(touches) of an enrollment")
      guard touch.isSound || Status.isRetry(touch.status), touches < Self.mostTouches else {
        throw .failed(
          "touch number \(touches) of an enrollment gave \(Status.name(touch.status)), and it is at \(percent) percent",
          advice: "the device is sound and nothing was disturbed: compare model and driver")
      }
      guard touch.percent >= percent, touch.percent <= 100 || Status.isRetry(touch.status) else {
        throw .failed("the enrollment went from \(percent) to \(touch.percent) percent")
      }
      if touch.isSound { percent = touch.percent }
    }
    var stored = ac_chip_id_t()
    try chip.expectOK(chip.commit(&stored), "commit", "of a whole enrollment")
    return (chip, stored, touches)
  }
}

/// The calls of `match-on-chip/1` that checks make.
@safe
struct ChipCalls {
  private let table: UnsafePointer<ac_match_on_chip_extension_t>
  private let sensor: OpaquePointer
  private let host: CheckHost

  init(
    _ table: UnsafePointer<ac_match_on_chip_extension_t>, _ sensor: OpaquePointer, _ host: CheckHost
  ) {
    unsafe (self.table, self.sensor) = unsafe (table, sensor)
    self.host = host
  }

  func enroll(_ name: inout ac_chip_id_t) -> ac_status_t {
    unsafe table.pointee.enroll(sensor, &name)
  }

  func touch(_ timeout: UInt32, _ progress: inout ac_chip_progress_t) -> ac_status_t {
    unsafe table.pointee.touch(sensor, timeout, &progress)
  }

  func commit(_ name: inout ac_chip_id_t) -> ac_status_t {
    unsafe table.pointee.commit(sensor, &name)
  }

  func remove(_ name: inout ac_chip_id_t) -> ac_status_t {
    unsafe table.pointee.remove(sensor, &name)
  }

  func abandon() -> ac_status_t { unsafe table.pointee.abandon(sensor) }

  func clear() -> ac_status_t { unsafe table.pointee.clear(sensor) }

  /// Asks for these templates; a chip that does not filter takes that too.
  func identify(
    _ names: [ac_chip_id_t], _ timeout: UInt32
  ) -> (status: ac_status_t, match: ac_chip_id_t) {
    var answer = ac_chip_answer_t()
    answer.struct_size = UInt32(MemoryLayout<ac_chip_answer_t>.size)
    let status = unsafe names.withUnsafeBufferPointer { names in
      var question = unsafe ac_chip_question_t()
      unsafe question.struct_size = UInt32(MemoryLayout<ac_chip_question_t>.size)
      unsafe question.ids = names.baseAddress
      unsafe question.id_count = UInt32(names.count)
      return unsafe table.pointee.identify(sensor, &question, timeout, &answer)
    }
    return (status, answer.match)
  }

  func list(_ place: String) throws(CheckEnd) -> [[UInt8]] {
    let listed = try tryList()
    try expectOK(listed.status, "list", place)
    return listed.names
  }

  /// Names no templates if it fails.
  func tryList() throws(CheckEnd) -> (status: ac_status_t, names: [[UInt8]]) {
    var ids = [ac_chip_id_t](repeating: ac_chip_id_t(), count: Int(AC_CHIP_MAX_TEMPLATES))
    var count: UInt32 = 0
    let status = unsafe table.pointee.list(sensor, &ids, UInt32(ids.count), &count)
    guard status == Status.ok else { return (status, []) }
    guard count <= ids.count else { throw .failed("list says that there are \(count) templates") }
    return (status, ids.prefix(Int(count)).map(Self.bytes))
  }

  /// Checks the rules of every call.
  /// - Returns: the message of a failure.
  /// - Throws: `failed` for the first rule that is broken.
  func judge(
    _ status: ac_status_t, _ function: String, _ place: String, milliseconds: UInt64, limit: UInt64
  ) throws(CheckEnd) -> String? {
    let message = host.takeMessage()
    guard Status.isKnown(status) else {
      throw .failed("\(function) returned \(status), which is no status of common.h", at: place)
    }
    guard milliseconds <= limit + CheckedSensor.grace else {
      throw .failed(
        "\(function) took \(milliseconds) ms of device time, and may take \(limit) ms", at: place,
        advice: "take every deadline from what is left")
    }
    guard message != nil || !Status.needsMessage(status) else {
      throw .failed(
        "\(function) failed with \(Status.name(status)) and set no message", at: place,
        advice: "call host->set_error with a sentence that says what to do")
    }
    return message
  }

  func expectOK(_ status: ac_status_t, _ function: String, _ place: String) throws(CheckEnd) {
    let message = host.takeMessage()
    guard status != Status.ok else { return }
    throw .failed(
      "\(function) \(place) gave \(Status.name(status))" + (message.map { ": " + $0 } ?? ""),
      advice: "the device is sound and nothing was disturbed: compare model and driver")
  }

  static func bytes(_ id: ac_chip_id_t) -> [UInt8] {
    unsafe withUnsafeBytes(of: id.bytes) { unsafe Array($0.prefix(Int(id.count))) }
  }
}
