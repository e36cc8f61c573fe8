import AuthcoreABI
import Testing

/// The C table of `match-on-chip/1` with Swift types. A failure is thrown, a retry too.
@safe struct LoadedChip {
  private let table: UnsafePointer<ac_match_on_chip_extension_t>
  private let pointer: OpaquePointer
  let sensor: LoadedSensor

  init(
    _ table: UnsafePointer<ac_match_on_chip_extension_t>, _ pointer: OpaquePointer,
    _ sensor: LoadedSensor
  ) {
    unsafe (self.table, self.pointer) = unsafe (table, pointer)
    self.sensor = sensor
  }

  var info: ac_chip_info_t {
    get throws {
      var info = ac_chip_info_t()
      info.struct_size = UInt32(MemoryLayout<ac_chip_info_t>.size)
      try check(unsafe table.pointee.info(pointer, &info))
      return info
    }
  }

  func enroll(_ name: [UInt8]) throws {
    var id = Self.id(name)
    try check(unsafe table.pointee.enroll(pointer, &id))
  }

  /// Percent.
  func touch(milliseconds: UInt32 = 5000) throws -> Int {
    var progress = ac_chip_progress_t()
    progress.struct_size = UInt32(MemoryLayout<ac_chip_progress_t>.size)
    try check(unsafe table.pointee.touch(pointer, milliseconds, &progress))
    return Int(progress.percent)
  }

  func commit() throws -> [UInt8] {
    var id = ac_chip_id_t()
    try check(unsafe table.pointee.commit(pointer, &id))
    return Self.bytes(id)
  }

  func abandon() throws { try check(unsafe table.pointee.abandon(pointer)) }

  /// The name of what matched; nil: nothing did.
  func identify(_ names: [[UInt8]] = [], milliseconds: UInt32 = 5000) throws -> [UInt8]? {
    let ids = names.map(Self.id)
    var answer = ac_chip_answer_t()
    answer.struct_size = UInt32(MemoryLayout<ac_chip_answer_t>.size)
    let status = unsafe ids.withUnsafeBufferPointer { ids in
      var question = unsafe ac_chip_question_t()
      unsafe question.struct_size = UInt32(MemoryLayout<ac_chip_question_t>.size)
      unsafe question.ids = ids.baseAddress
      unsafe question.id_count = UInt32(ids.count)
      return unsafe table.pointee.identify(pointer, &question, milliseconds, &answer)
    }
    try check(status)
    return answer.match.count == 0 ? nil : Self.bytes(answer.match)
  }

  func list(capacity: Int = Int(AC_CHIP_MAX_TEMPLATES)) throws -> [[UInt8]] {
    var ids = [ac_chip_id_t](repeating: ac_chip_id_t(), count: capacity)
    var count: UInt32 = 0
    try check(unsafe table.pointee.list(pointer, &ids, UInt32(capacity), &count))
    return ids.prefix(Int(count)).map(Self.bytes)
  }

  func remove(_ name: [UInt8]) throws {
    var id = Self.id(name)
    try check(unsafe table.pointee.remove(pointer, &id))
  }

  /// As a host does it, of a chip that cannot by itself too.
  func clear() throws {
    guard try info.abilities & UInt32(AC_CHIP_CLEARS) == 0 else {
      return try check(unsafe table.pointee.clear(pointer))
    }
    for name in try list() { try remove(name) }
  }

  /// Touches until the enrollment is complete, and stores it.
  /// - Returns: the progress after each touch; nil for a retry.
  @discardableResult
  func enrollWhole(_ name: [UInt8]) throws -> [Int?] {
    try enroll(name)
    var progress: [Int?] = []
    while progress.last != 100, progress.count < 40 {
      do {
        progress.append(try touch())
      } catch let failure as LoadedDriver.Failure where 1..<100 ~= failure.status {
        progress.append(nil)
      }
    }
    _ = try commit()
    return progress
  }

  private func check(_ status: ac_status_t) throws {
    guard status != ac_status_t(AC_OK) else { return }
    throw LoadedDriver.Failure(
      status: Int(status), message: status < 100 ? "" : TestHost.current?.message ?? "")
  }

  private static func id(_ name: [UInt8]) -> ac_chip_id_t {
    var id = ac_chip_id_t()
    id.count = UInt32(name.count)
    unsafe withUnsafeMutableBytes(of: &id.bytes) {
      unsafe $0.copyBytes(from: name.prefix($0.count))
    }
    return id
  }

  private static func bytes(_ id: ac_chip_id_t) -> [UInt8] {
    unsafe withUnsafeBytes(of: id.bytes) { unsafe Array($0.prefix(Int(id.count))) }
  }
}

/// A driver for a chip, and what is true of its simulated device.
struct ChipReader: Sendable, CustomTestStringConvertible {
  let driver: String
  var settings = ""
  /// Touches of an enrollment.
  let touches: Int
  let capacity: Int
  let filters: Bool
  /// What a bad touch is.
  let retry: Int

  var testDescription: String { settings.isEmpty ? driver : "\(driver), \(settings)" }

  static let all = [
    ChipReader(
      driver: "elanchip", touches: 9, capacity: 10, filters: false, retry: AC_RETRY_CENTER),
    ChipReader(
      driver: "elanchip", settings: "product=0x0c6c", touches: 15, capacity: 10, filters: false,
      retry: AC_RETRY_CENTER),
    ChipReader(
      driver: "synaptics", touches: 8, capacity: 15, filters: true, retry: AC_RETRY_GENERAL),
  ]

  /// The name of template `number`, as an enclave would draw it.
  static func name(_ number: UInt8) -> [UInt8] {
    (0..<32).map { number &+ 1 &* ($0 | 0x41) }
  }

  func run<R>(_ more: String = "", _ body: (TestHost, LoadedChip) throws -> R) throws -> R {
    let text = [settings, more].filter { !$0.isEmpty }.joined(separator: ",")
    return try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: driver, text)
      defer { withExtendedLifetime(device) {} }
      return try body(host, LoadedDriver.built(driver).open().chip())
    }
  }
}
