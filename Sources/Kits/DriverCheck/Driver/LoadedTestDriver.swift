import AuthcoreABI
import DriverKit
import Glibc
import Protocol

/// A driver that was entered, and the devices that can be plugged in for it.
@safe
final class LoadedTestDriver {
  let host: CheckHost
  let table: UnsafePointer<ac_sensor_driver_t>
  let report: CheckReporter
  private let arguments: CheckArguments
  private let transport: UnsafePointer<ac_transport_t>?
  private var service: UnsafePointer<ac_usb_service_t>?
  /// The fault that the device was plugged in with.
  private var disturbance: String?

  typealias DriverEntry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
    ) -> ac_status_t
  private typealias TransportEntry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
    ) -> ac_status_t
  private typealias ModelEntry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>?
    ) -> ac_status_t

  /// Loads and enters the driver, its transport and its device model.
  init(_ arguments: CheckArguments, _ report: CheckReporter) throws(CheckEnd) {
    (self.arguments, self.report) = (arguments, report)
    host = CheckHost(reportingLogTo: arguments.logs ? report : nil)
    report.at("its constructors")
    let entry = unsafe try Plugin(arguments.driver).function(
      AC_SENSOR_ENTRY_SYMBOL, as: DriverEntry.self)
    report.at(AC_SENSOR_ENTRY_SYMBOL)
    var table: UnsafePointer<ac_sensor_driver_t>?
    let status = unsafe entry(host.table(version: sensorABI, for: .driver), &table)
    guard status == ac_status_t(AC_OK), let table = unsafe table else {
      throw .failed(
        "ac_sensor_entry returned \(Status.name(status))\(host.takeMessage().map { ": " + $0 } ?? "")",
        advice: "it opens nothing and returns AC_OK with a table")
    }
    unsafe self.table = table
    unsafe transport = try Self.load(arguments, host)
  }

  private static func load(
    _ arguments: CheckArguments, _ host: CheckHost
  ) throws(CheckEnd) -> UnsafePointer<ac_transport_t>? {
    guard let path = arguments.transport else { return nil }
    if let model = arguments.model {
      let entry = try unsafe plugin(model).function(AC_MODEL_ENTRY_SYMBOL, as: ModelEntry.self)
      var device: UnsafePointer<ac_device_model_t>?
      let table = unsafe host.table(version: sensorABI, for: .model)
      guard unsafe entry(table, &device) == ac_status_t(AC_OK), let device = unsafe device else {
        throw .notRun("the device model \(model) cannot be used")
      }
      unsafe host.provide(AC_DEVICE_MODEL_SERVICE, UnsafeRawPointer(device))
    }
    let entry = try unsafe plugin(path).function(
      AC_TRANSPORT_ENTRY_SYMBOL, as: TransportEntry.self)
    var transport: UnsafePointer<ac_transport_t>?
    let table = unsafe host.table(version: sensorABI, for: .transport)
    guard unsafe entry(table, &transport) == ac_status_t(AC_OK), let transport = unsafe transport
    else { throw .notRun("the transport \(path) cannot be used") }
    return unsafe transport
  }

  /// Loads the transport or the model. If that fails, the driver is not to blame.
  private static func plugin(_ path: String) throws(CheckEnd) -> Plugin {
    do throws(CheckEnd) {
      return try Plugin(path)
    } catch {
      guard case .failed(let reason, _, _, _) = error else { throw error }
      throw .notRun("\(path) \(reason)")
    }
  }

  /// Whether the driver handles USB devices, and so needs one.
  var needsDevice: Bool { unsafe table.pointee.description?.pointee.usb_match_count ?? 0 > 0 }

  /// Whether the sensor compares prints itself.
  var matchesOnChip: Bool {
    let flags = unsafe table.pointee.description?.pointee.flags ?? 0
    return flags & UInt32(AC_SENSOR_MATCHES_ON_CHIP) != 0
  }

  var isSwipe: Bool {
    unsafe table.pointee.description?.pointee.scan_type == ac_scan_type_t(AC_SCAN_SWIPE)
  }

  /// Whether the driver has opened a sound device in this process.
  var hasOpened = false

  /// Whether a driver that opens nothing fails this check.
  var judgesOpening: Bool { arguments.check == .opening || arguments.check == .recording }

  /// Whether this check reports what close leaves behind.
  var judgesClosing: Bool { arguments.check != .arguments }

  var hasModel: Bool { arguments.model != nil }

  /// Reports what is about to be done.
  func at(_ place: String) { report.at(place, disturbance: disturbance) }

  /// Plugs in a new device.
  /// - Parameter settings: the model's, and faults.
  /// - Returns: the device, or nil if the driver needs none.
  /// - Throws: `notRun` if there is nothing to plug in.
  func plug(_ settings: [String] = []) throws(CheckEnd) -> WatchedDevice? {
    unplug()
    disturbance = settings.first { $0.hasPrefix(InjectedFault.setting) }?.split(separator: "@")
      .first
      .map(String.init)
    guard let transport = unsafe transport else {
      guard needsDevice else { return nil }
      throw .notRun(
        "there is no device: give a model (--model FILE, or NAME-model.so beside NAME.so)")
    }
    var descriptor: Int32 = -1
    if let recording = arguments.recording {
      descriptor = unsafe open(recording, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .notRun("\(recording) cannot be opened") }
    }
    defer { if descriptor >= 0 { close(descriptor) } }
    var opened: UnsafePointer<ac_usb_service_t>?
    let text =
      ((arguments.recording == nil ? [] : [recordedDevice]) + settings).joined(separator: ",")
    let status = unsafe text.withCString { text in
      var source = unsafe ac_transport_source_t(
        struct_size: UInt32(MemoryLayout<ac_transport_source_t>.size), file_descriptor: descriptor,
        bus: 0, address: 0, text: text, capture_descriptor: -1)
      return unsafe transport.pointee.open(&source, &opened)
    }
    guard status == ac_status_t(AC_OK), let opened = unsafe opened else {
      throw .notRun(
        "no device can be plugged in: \(host.takeMessage() ?? Status.name(status))")
    }
    unsafe service = opened
    let watched = unsafe WatchedDevice(opened)
    unsafe host.provide(AC_USB_SERVICE, UnsafeRawPointer(watched.makeTable()))
    return watched
  }

  /// Plugs in a device that nobody touches.
  /// - Throws: `notRun` if there is no model, or it knows neither `touches` nor `swipes`.
  func plugUntouched() throws(CheckEnd) -> WatchedDevice? { try plug(touches: 0) }

  /// Plugs in a device that is touched so often.
  /// - Throws: `notRun` if there is no model, or it knows neither `touches` nor `swipes`, or not the
  ///   other settings.
  func plug(touches: Int, _ settings: [String] = []) throws(CheckEnd) -> WatchedDevice? {
    guard hasModel else {
      throw .notRun("only a device model can be told how often a finger comes (touches=N)")
    }
    do throws(CheckEnd) {
      return try plug(["touches=\(touches)"] + settings)
    } catch {
      return try plug(["swipes=\(touches)"] + settings)
    }
  }

  /// Plugs in a device whose finger stays after it was read.
  /// - Throws: `notRun` if there is no model, or it does not know `lift`.
  func plugStaying(milliseconds: UInt64) throws(CheckEnd) -> WatchedDevice? {
    do throws(CheckEnd) {
      return try plug(["lift=\(milliseconds)"])
    } catch {
      guard case .notRun = error, hasModel else { throw error }
      throw .notRun("the device model cannot be told how long the finger stays (lift=MS)")
    }
  }

  /// Plugs in a swipe reader on which the finger rests.
  /// - Throws: `notRun` if there is no model, or it does not know `step`.
  func plugResting() throws(CheckEnd) -> WatchedDevice? {
    do throws(CheckEnd) {
      return try plug(["step=0"])
    } catch {
      guard case .notRun = error, hasModel else { throw error }
      throw .notRun("the device model cannot be told that the finger rests (step=0)")
    }
  }

  /// Takes the device away, so that the host has none.
  func unplug() {
    unsafe host.provide(AC_USB_SERVICE, nil)
    guard let transport = unsafe transport, let opened = unsafe service else { return }
    unsafe transport.pointee.close(opened)
    unsafe service = nil
  }

  /// The calls of the recorded session; nil if no text beside the recording names them.
  /// - Throws: `failed` if there is one that cannot be read.
  func recordedCalls() throws(CheckEnd) -> RecordedCalls? {
    guard let recording = arguments.recording else { return nil }
    return try RecordedCalls(recording + ".calls")
  }

  /// What the recording expected instead of the driver's request, or "".
  var remarkOfRecording: String {
    guard arguments.recording != nil, let remark = host.lastLine(of: .transport) else { return "" }
    return ". " + remark
  }

  /// The device of the recording that was named, or the models that the driver handles.
  private var recordedDevice: String {
    guard arguments.recordedDevice.isEmpty else { return arguments.recordedDevice }
    guard let description = unsafe table.pointee.description,
      let matches = unsafe UnsafeRawPointer(description.pointee.usb_matches)
    else { return "" }
    let size = unsafe matchSize(description)
    return (0..<Int(unsafe description.pointee.usb_match_count)).map { index in
      // idVendor and idProduct come first in every version.
      let match = unsafe matches.advanced(by: index * size)
      return unsafe DriverDescription.USBMatch(
        vendor: match.loadUnaligned(as: UInt16.self),
        product: match.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
      ).text
    }.joined(separator: ",")
  }

  /// The size of a match. A driver of 1.0 does not say it, and one of 1.1 may not (sensor.h).
  private func matchSize(_ description: UnsafePointer<ac_sensor_description_t>) -> Int {
    let first = MemoryLayout<ac_usb_match_t>.offset(of: \.flags) ?? 0
    let known = unsafe MemoryLayout<ac_sensor_description_t>.size
    guard unsafe description.pointee.struct_size >= known else { return first }
    let said = unsafe Int(description.pointee.usb_match_size)
    guard said == 0 else { return said }
    return unsafe table.pointee.abi_version == 1 << 16 ? first : MemoryLayout<ac_usb_match_t>.size
  }

  /// Options as the host would pass them, from `--option`.
  var options: [CheckOption] {
    arguments.options.map { given in
      CheckOption(name: given.name, value: given.value, kind: kind(of: given.name))
    }
  }

  private func kind(of name: String) -> ac_option_kind_t {
    guard let description = unsafe table.pointee.description else { return 0 }
    for index in 0..<Int(unsafe description.pointee.option_count) {
      let option = unsafe description.pointee.options[index]
      if unsafe String(cString: option.name) == name { return unsafe option.kind }
    }
    return 0
  }
}

/// `AC_SENSOR_ABI`, a macro that Swift does not import.
let sensorABI = UInt32(AC_SENSOR_ABI_MAJOR) << 16 | UInt32(AC_SENSOR_ABI_MINOR)
