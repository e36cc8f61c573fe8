import AuthcoreABI
import Glibc

/// An open device of the driver under test. Checks the rules that hold for every call.
@safe
final class CheckedSensor: @unchecked Sendable {
  // Sendable: interrupt may be called on any thread (sensor.h), the rest on the owner's only.

  struct Touch {
    let status: ac_status_t
    let message: String?
    /// By the clock of the check.
    let milliseconds: UInt64
    let frame: CapturedFrame?
    /// How far an enrollment on a chip is after it.
    var percent: UInt32 = 0
    /// Whether it was read: a frame, or a good touch on a chip.
    var isSound: Bool { status == Status.ok }
  }

  fileprivate let loaded: LoadedTestDriver
  fileprivate let sensor: OpaquePointer

  /// Milliseconds after its deadline in which a capture has to return, or the host ends the driver.
  static let grace: UInt64 = 5000
  private static let openLimit: UInt64 = 30_000
  private static let closeLimit: UInt64 = 5000

  /// Its calls if it matches on the chip.
  let chip: ChipCalls?

  private init(_ loaded: LoadedTestDriver, _ sensor: OpaquePointer) {
    self.loaded = loaded
    unsafe self.sensor = sensor
    let found =
      loaded.matchesOnChip
      ? unsafe loaded.table.pointee.extension?(AC_MATCH_ON_CHIP_EXTENSION) : nil
    chip = unsafe (found ?? nil).map { found in
      unsafe ChipCalls(
        found.assumingMemoryBound(to: ac_match_on_chip_extension_t.self), sensor, loaded.host)
    }
  }

  enum Opened {
    case sensor(CheckedSensor)
    case failed(ac_status_t, message: String?)
  }

  /// Opens the device that is plugged in.
  static func open(
    _ loaded: LoadedTestDriver, _ place: String, options: [CheckOption]? = nil
  ) throws(CheckEnd) -> Opened {
    loaded.at("open, " + place)
    _ = loaded.host.takeMessage()
    let list = unsafe (options ?? loaded.options).map { unsafe $0.made() }
    var sensor = unsafe OpaquePointer(bitPattern: untouched)
    let start = CheckClock.now()
    let status = unsafe loaded.table.pointee.open(list, UInt32(list.count), &sensor)
    let milliseconds = (CheckClock.now() - start) / 1_000_000
    unsafe list.map { unsafe $0.file_descriptor }.filter { $0 >= 0 }.forEach { Glibc.close($0) }
    guard milliseconds <= openLimit else {
      throw .failed(
        "open took \(milliseconds) ms of device time", at: place,
        advice: "the host gives it \(openLimit) ms; give every transfer a deadline")
    }
    let message = loaded.host.takeMessage()
    guard status == Status.ok else {
      guard Status.isKnown(status), !Status.isRetry(status) || status == Status.lift else {
        throw .failed("open returned \(Status.name(status)), which is no failure", at: place)
      }
      guard unsafe sensor == OpaquePointer(bitPattern: untouched) else {
        throw .failed(
          "open failed with \(Status.name(status)) and wrote *ret_sensor all the same", at: place,
          advice: "out-parameters are written when AC_OK is returned, and only then (common.h)")
      }
      guard message != nil || status == Status.lift else {
        throw .failed(
          "open failed with \(Status.name(status)) and set no message", at: place,
          advice: "call host->set_error with a sentence that says what to do")
      }
      return .failed(status, message: message)
    }
    guard let sensor = unsafe sensor, unsafe sensor != OpaquePointer(bitPattern: untouched) else {
      throw .failed("open returned AC_OK and no sensor", at: place)
    }
    return unsafe .sensor(CheckedSensor(loaded, sensor))
  }

  /// Opens a healthy device, which must not fail.
  static func openHealthy(_ loaded: LoadedTestDriver, _ place: String) throws(CheckEnd)
    -> CheckedSensor
  {
    switch try open(loaded, place) {
    case .sensor(let sensor):
      loaded.hasOpened = true
      return sensor
    case .failed(let status, let message):
      // One check reports that it cannot be opened at all.
      guard loaded.hasOpened || loaded.judgesOpening else {
        throw .notRun("the driver does not open its device; see opening")
      }
      let reason =
        "open failed with \(Status.name(status)): \(message ?? "")" + loaded.remarkOfRecording
      // A driver that looks for its devices itself may find none here.
      guard loaded.needsDevice else { throw .notRun(reason) }
      throw .failed(
        reason, advice: "the device is sound and nothing was disturbed: compare model and driver")
    }
  }

  private static let untouched = 0x10

  /// Captures, and checks the rules of every capture. A host of 1.0 has a shorter frame.
  func capture(
    _ timeout: UInt32, _ place: String, isForFirstHost: Bool = false
  ) throws(CheckEnd) -> Touch {
    if let chip { return try touch(chip, timeout, place) }
    loaded.at("capture, " + place)
    _ = loaded.host.takeMessage()
    CheckClock.resume()
    let memory = FrameMemory(isFirst: isForFirstHost)
    let start = CheckClock.now()
    let status = unsafe loaded.table.pointee.capture(sensor, timeout, memory.pointer)
    let milliseconds = (CheckClock.now() - start) / 1_000_000
    let message = loaded.host.takeMessage()
    guard Status.isKnown(status) else {
      throw .failed(
        "capture returned \(status), which is no status of common.h", at: place,
        advice: "0 is a frame, 1 to 9 a retry, 100 to 118 a failure")
    }
    guard !memory.isOverrun else {
      throw .failed(
        "capture wrote beyond the struct_size of ret_frame", at: place,
        advice:
          "set field by field, and none beyond the struct_size that the caller set (AC_HAS_FIELD)")
    }
    guard milliseconds <= UInt64(timeout) + Self.grace else {
      throw .failed(
        "capture with a timeout of \(timeout) ms took \(milliseconds) ms of device time", at: place,
        advice:
          "the host ends a driver that is \(Self.grace) ms late: take every deadline from what is left"
      )
    }
    guard status == Status.ok else {
      guard memory.isUntouched else {
        throw .failed(
          "capture returned \(Status.name(status)) and wrote into ret_frame", at: place,
          advice: "out-parameters are written when AC_OK is returned, and only then (common.h)")
      }
      guard message != nil || !Status.needsMessage(status) else {
        throw .failed(
          "capture failed with \(Status.name(status)) and set no message", at: place,
          advice: "call host->set_error with a sentence that says what to do")
      }
      return Touch(status: status, message: message, milliseconds: milliseconds, frame: nil)
    }
    loaded.at("reading the frame of capture, " + place)
    let frame = try unsafe CapturedFrame(memory.frame, of: loaded.table.pointee.description)
    return Touch(status: status, message: message, milliseconds: milliseconds, frame: frame)
  }

  /// A touch of an enrollment takes the place of a capture; one is begun where none is under way.
  private func touch(
    _ chip: ChipCalls, _ timeout: UInt32, _ place: String
  ) throws(CheckEnd) -> Touch {
    loaded.at("touch, " + place)
    _ = loaded.host.takeMessage()
    CheckClock.resume()
    var progress = ac_chip_progress_t()
    progress.struct_size = UInt32(MemoryLayout<ac_chip_progress_t>.size)
    var start = CheckClock.now()
    var status = chip.touch(timeout, &progress)
    if status == ac_status_t(AC_ERR_STATE) {
      _ = loaded.host.takeMessage()
      var name = ac_chip_id_t()
      name.count = 1
      name.bytes.0 = 0x41
      status = chip.enroll(&name)
      start = CheckClock.now()
      if status == Status.ok { status = chip.touch(timeout, &progress) }
    }
    let milliseconds = (CheckClock.now() - start) / 1_000_000
    let message = try chip.judge(
      status, "touch", place, milliseconds: milliseconds, limit: UInt64(timeout))
    return Touch(
      status: status, message: message, milliseconds: milliseconds, frame: nil,
      percent: progress.percent)
  }

  /// On any thread.
  func interrupt() { unsafe loaded.table.pointee.interrupt(sensor) }

  /// Closes, and checks the rules of every close.
  func close(_ place: String, device: WatchedDevice?) throws(CheckEnd) {
    loaded.at("close, " + place)
    let start = CheckClock.now()
    unsafe loaded.table.pointee.close(sensor)
    let milliseconds = (CheckClock.now() - start) / 1_000_000
    guard milliseconds <= Self.closeLimit else {
      throw .failed(
        "close took \(milliseconds) ms of device time", at: place,
        advice: "the host gives it \(Self.closeLimit) ms")
    }
    if let violation = device?.violation {
      throw .failed(violation, advice: "all of usb/1 but interrupt is [owner] (usb.h)")
    }
    guard loaded.judgesClosing else { return }
    if let number = device?.keptInterface {
      throw .failed(
        "close did not release interface \(number)", at: place,
        advice: "call usb->release_interface in close() for each interface that was claimed")
    }
    if let count = device?.pendingReads, count > 0 {
      throw .failed(
        "close left \(count) queued read\(count == 1 ? "" : "s") pending", at: place,
        advice: "wait for or cancel every ticket of submit_read, on failures too")
    }
  }
}

extension CheckedSensor {
  /// Calls `capture` with memory that may be NULL, and checks nothing.
  func captureStatus(into frame: UnsafeMutablePointer<ac_frame_t>?) -> ac_status_t {
    unsafe loaded.table.pointee.capture(sensor, 100, frame)
  }
}
