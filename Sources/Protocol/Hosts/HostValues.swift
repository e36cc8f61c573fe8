// The mailbox between the core (or a command) and one authcore-host. Core to host: 1…19, host to
// core: 20…39, and ``Failure`` (0), which ends the start of a host or refuses an OpenSensorRequest.

extension HostEnding {
  package init(_ reason: String) { self.init(reason: String(reason.prefix(1000))) }
}

extension PluginLogLevel {
  package static func < (left: PluginLogLevel, right: PluginLogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// How far the sandbox of a host reaches once its plugin runs.
package enum Confinement: String, CaseIterable, WireField {
  /// No sandbox: `AUTHCORE_SANDBOX=off`.
  case off
  /// No new descriptors at all.
  case closed
  /// No new descriptors at all; the USB device that is handed over can be used.
  case usesDevice = "uses-device"
  /// Files may be opened for reading, devices not; a USB device that is handed over can be used.
  case readsFiles = "reads-files"
  /// What is connected can be seen, and when that changes; no device may be opened.
  case watchesDevices = "watches-devices"
  /// Devices may be opened, by libraries that find them themselves.
  case opensDevices = "opens-devices"
  /// Files in one folder may be read, written and removed.
  case enclave
}

extension SandboxReport {
  /// Whether there is a sandbox.
  package var isOn: Bool { confinement != .off }

  /// A sandbox that has not been entered.
  package init(_ confinement: Confinement) { self.init(confinement: confinement) }

  /// As it is sent: with at most 32 sentences, of 500 characters each.
  package var bounded: SandboxReport {
    var report = self
    report.lacks = lacks.prefix(32).map { String($0.prefix(500)) }
    return report
  }
}

extension DeviceOpening {
  /// How many descriptors travel with it.
  package var descriptorCount: Int { (hasDescriptor ? 1 : 0) + (recordsTraffic ? 1 : 0) }

  /// Room for the models of a driver with as many matches as there can be, "05ba:000a," each.
  static let longestText = DriverDescription.maximumMatches * 10
}

extension OpenSensorRequest {
  /// How many descriptors travel with it.
  package var descriptorCount: Int {
    (device?.descriptorCount ?? 0) + options.count { $0.kind == .file }
  }
}

extension SensorIdentity {
  // What is no UTF-8 became U+FFFD, three bytes for one.
  static let longestText = 3 * 64

  /// It comes from a process that ran somebody's plugin: everything is checked again.
  func check() throws(DecodeError) {
    try DriverDescription.requirePossible(width: width, height: height, pixelsPerInch)
  }
}

extension SensorOption {
  /// Bytes of a value.
  package static let longestValue = 4096

  func check() throws(DecodeError) {
    guard DriverDescription.isName(name) else { throw .invalidValue(field: "option name") }
  }
}

extension SensorOption.Kind {
  /// For people.
  package var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .file: "file"
    }
  }
}
