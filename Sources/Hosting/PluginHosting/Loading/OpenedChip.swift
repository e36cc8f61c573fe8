import AuthcoreABI
package import Protocol

/// The part of an open device that compares prints itself: `match-on-chip/1` of match_on_chip.h. The
/// owner thread alone calls it.
@safe
package struct OpenedChip: @unchecked Sendable {
  // Sendable: as OpenedSensor.

  /// What it can do.
  package let summary: ChipSummary
  private let sensor: OpaquePointer
  private let table: UnsafePointer<ac_match_on_chip_extension_t>
  private let services: HostServices

  /// What a call came to that did not succeed: a status of common.h, and the driver's words.
  package struct Problem: Error {
    package let status: Int32
    package let message: String
  }

  /// `path` is that of the driver's file.
  ///
  /// - Throws: `driverFailed` naming what the driver lacks.
  @unsafe init(
    _ found: UnsafeRawPointer?, _ sensor: OpaquePointer, _ services: HostServices, path: String
  ) throws(Failure) {
    guard let found = unsafe found else {
      throw Failure(
        .driverFailed, "Cannot use \(path): it matches on the chip without match-on-chip/1")
    }
    let table = unsafe found.assumingMemoryBound(to: ac_match_on_chip_extension_t.self)
    unsafe try PluginABI.check(
      structSize: table.pointee.struct_size,
      atLeast: MemoryLayout<ac_match_on_chip_extension_t>.size, "ac_match_on_chip_extension_t",
      of: path, code: .driverFailed)
    let isWhole =
      unsafe table.pointee.info != nil && table.pointee.enroll != nil
      && table.pointee.touch != nil && table.pointee.commit != nil && table.pointee.abandon != nil
      && table.pointee.identify != nil && table.pointee.list != nil && table.pointee.remove != nil
      && table.pointee.clear != nil
    guard isWhole else {
      throw Failure(.driverFailed, "Cannot use \(path): a function of match-on-chip/1 is NULL")
    }
    var info = ac_chip_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_chip_info_t>.size)
    let status = unsafe table.pointee.info(sensor, &info)
    guard status == AC_OK, 1...UInt32(ChipNames.longestName) ~= info.id_bytes else {
      throw Failure(.driverFailed, "The driver \(path) does not say what its chip can do")
    }
    summary = ChipSummary(
      abilities: info.abilities, capacity: info.capacity, nameBytes: info.id_bytes,
      touches: info.touches)
    unsafe (self.sensor, self.table) = unsafe (sensor, table)
    self.services = services
  }

  // MARK: Calls

  /// Does what the enclave ordered.
  /// - Returns: the message for the frame socket.
  package func perform(_ order: borrowing ChipOrder, timeoutMilliseconds: UInt32) -> SecretBytes {
    _ = services.takeError()
    do throws(Problem) {
      return try report(of: order, timeoutMilliseconds)
    } catch {
      guard error.status >= 100 else {
        return SensorRetry(session: order.session, reason: error.status).encoded()
      }
      return SensorEnd.encoded(session: order.session, status: error.status, saying: error.message)
    }
  }

  private func report(
    of order: borrowing ChipOrder, _ milliseconds: UInt32
  ) throws(Problem) -> SecretBytes {
    let names: ChipNames
    do throws(DecodeError) {
      names = try ChipNames(order.names)
    } catch {
      throw Problem(status: Int32(AC_ERR_ARGUMENT), message: "an order names no templates")
    }
    var listed = ChipNames()
    var name = ChipNames()
    var result = ChipReport.Result.done
    var percent: UInt8 = 0
    switch order.work {
    case .list: listed = try list()
    case .remove:
      try remove(names, first: 0)
      listed = try list()
    case .identify:
      listed = try list()
      // A chip that holds nothing has nothing to compare with: no finger is waited for.
      guard listed.count > 0 else { break }
      name = try identify(among: listed, milliseconds)
      result = name.count > 0 ? .matched : .noMatch
    case .enroll:
      try remove(names, first: 1)
      try check(
        unsafe withIDs(names) { ids in unsafe table.pointee.enroll(sensor, ids.baseAddress) })
      percent = try touch(milliseconds, storing: &name)
    case .touch: percent = try touch(milliseconds, storing: &name)
    }
    if [.enroll, .touch].contains(order.work) { result = percent == 100 ? .stored : .progress }
    return ChipReport(
      session: order.session, result: result, percent: percent, name: name.finish(),
      listed: listed.finish()
    ).encoded()
  }

  /// - Returns: percent. At 100 the template is stored, under this name.
  private func touch(_ milliseconds: UInt32, storing name: inout ChipNames) throws(Problem) -> UInt8
  {
    var progress = ac_chip_progress_t()
    progress.struct_size = UInt32(MemoryLayout<ac_chip_progress_t>.size)
    try check(unsafe table.pointee.touch(sensor, milliseconds, &progress))
    guard progress.percent <= 100 else {
      throw Problem(
        status: Int32(AC_ERR_PROTOCOL), message: "its enrollment is at \(progress.percent) percent")
    }
    if progress.percent == 100 {
      var id = ac_chip_id_t()
      try check(unsafe table.pointee.commit(sensor, &id))
      name = ChipNames(capacity: 1)
      try Self.append(id, to: &name)
    }
    return UInt8(progress.percent)
  }

  private func identify(
    among names: borrowing ChipNames, _ milliseconds: UInt32
  ) throws(Problem) -> ChipNames {
    var answer = ac_chip_answer_t()
    answer.struct_size = UInt32(MemoryLayout<ac_chip_answer_t>.size)
    let filters = summary.has(AC_CHIP_FILTERS)
    let status = unsafe withIDs(names) { ids in
      var question = unsafe ac_chip_question_t()
      unsafe question.struct_size = UInt32(MemoryLayout<ac_chip_question_t>.size)
      if filters {
        unsafe question.ids = UnsafePointer(ids.baseAddress)
        unsafe question.id_count = UInt32(ids.count)
      }
      return unsafe table.pointee.identify(sensor, &question, milliseconds, &answer)
    }
    try check(status)
    var match = ChipNames(capacity: 1)
    if answer.match.count > 0 { try Self.append(answer.match, to: &match) }
    return match
  }

  private func list() throws(Problem) -> ChipNames {
    var ids = [ac_chip_id_t](repeating: ac_chip_id_t(), count: ChipNames.most)
    var count: UInt32 = 0
    try check(unsafe table.pointee.list(sensor, &ids, UInt32(ids.count), &count))
    guard count <= ChipNames.most else {
      throw Problem(status: Int32(AC_ERR_PROTOCOL), message: "it lists \(count) templates")
    }
    var names = ChipNames(capacity: Int(count))
    for id in ids.prefix(Int(count)) { try Self.append(id, to: &names) }
    return names
  }

  private func remove(_ names: borrowing ChipNames, first: Int) throws(Problem) {
    let statuses = unsafe withIDs(names) { ids in
      (min(first, ids.count)..<ids.count).map { index in
        unsafe table.pointee.remove(sensor, ids.baseAddress?.advanced(by: index))
      }
    }
    for status in statuses { try check(status) }
  }

  // MARK: Names

  private func withIDs<Result>(
    _ names: borrowing ChipNames, _ body: (UnsafeMutableBufferPointer<ac_chip_id_t>) -> Result
  ) -> Result {
    var ids: [ac_chip_id_t] = []
    names.forEach { name in
      var id = ac_chip_id_t()
      id.count = UInt32(name.count)
      unsafe withUnsafeMutableBytes(of: &id.bytes) { target in
        for index in 0..<name.count { unsafe target[index] = name[index] }
      }
      ids.append(id)
    }
    return unsafe ids.withUnsafeMutableBufferPointer { unsafe body($0) }
  }

  private static func append(_ id: ac_chip_id_t, to names: inout ChipNames) throws(Problem) {
    guard 1...UInt32(ChipNames.longestName) ~= id.count else {
      throw Problem(
        status: Int32(AC_ERR_PROTOCOL), message: "it names a template with \(id.count) bytes")
    }
    unsafe withUnsafeBytes(of: id.bytes) { bytes in
      unsafe names.append(
        Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<Int(id.count)])))
    }
  }

  private func check(_ status: ac_status_t) throws(Problem) {
    guard status != AC_OK else { return }
    let isStatus = status > 0
    throw Problem(
      status: isStatus ? status : Int32(AC_ERR_PROTOCOL),
      message: services.takeError() ?? SensorStatus.text(status))
  }
}
