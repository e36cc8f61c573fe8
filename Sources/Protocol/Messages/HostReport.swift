/// Constants that both sides of a host's mailbox know.
package enum HostProtocol {
  /// Bytes of a request or reply of an engine, `AC_ENGINE_MAX_MESSAGE`.
  package static let maximumEngineMessage = 20 << 20
  /// Bytes of a message of the mailbox: an engine's, and what is put around it.
  package static let maximumMessage = maximumEngineMessage + 64
  /// Bytes of a message on a frame socket: the largest frame is 16 MiB.
  package static let maximumFrameMessage = 20 << 20
  /// The mailbox in the host.
  package static let mailbox: Int32 = 3
  /// The frame socket in a driver's host.
  package static let frames: Int32 = 4
}

/// A message of the mailbox that contains only a message of the engine's own protocol. Both share
/// their bytes, so that none is copied.
package protocol EngineCarrier: WireMessage, ~Copyable {}

extension EngineCarrier where Self: ~Copyable {
  /// What precedes a message of `count` bytes.
  package static func head(count: Int) -> [UInt8] {
    var encoder = WireEncoder()
    encoder.writeByte(number)
    encoder.writeLength(count)
    return encoder.finishPlain()
  }

  /// The engine's message, in the memory of the mailbox's.
  @_lifetime(copy message)
  package static func content(of message: Span<UInt8>) throws(DecodeError) -> Span<UInt8> {
    var decoder = WireDecoder(message)
    try decoder.read(number: number)
    let content = try decoder.readSpan(limit: HostProtocol.maximumEngineMessage)
    try decoder.finish()
    return content
  }

  /// The engine's message, which takes over the memory of the mailbox's.
  package static func content(
    of message: consuming SecretBytes
  ) throws(DecodeError) -> SecretBytes {
    let count = try content(of: message.bytes).count
    let end = message.count
    return message.extracting(end - count..<end)
  }
}

/// Everything a host may say. Decoded in one place, because a driver can write to its host's
/// mailbox, too.
package enum HostReport: ~Copyable, Sendable {
  case failure(Failure)
  case ready(HostReady)
  case stage(HostStage.Stage)
  case log(HostLog)
  case ending(HostEnding)
  case trapped(HostTrapped)
  case reply(SecretBytes)
  case event(SecretBytes)
  case opened(SensorOpened)
  case closed
  case described(DriverDescription)
  case change(DeviceChange)
  case liftAwaited

  /// Any bytes give a report or an error. What an engine said is not copied.
  package static func decode(_ message: consuming SecretBytes) throws(DecodeError) -> HostReport {
    switch message.count > 0 ? message.bytes[0] : nil {
    case EngineReply.number: return .reply(try EngineReply.content(of: message))
    case EngineEvent.number: return .event(try EngineEvent.content(of: message))
    default: return try decodeCopying(message.bytes)
    }
  }

  private static func decodeCopying(_ bytes: Span<UInt8>) throws(DecodeError) -> HostReport {
    guard bytes.count > 0 else { throw .truncated(wanted: 1, left: 0) }
    switch bytes[0] {
    case Failure.number: return .failure(try Failure.decode(bytes))
    case HostReady.number: return .ready(try HostReady.decode(bytes))
    case HostStage.number: return .stage(try HostStage.decode(bytes).stage)
    case HostLog.number: return .log(try HostLog.decode(bytes))
    case HostEnding.number: return .ending(try HostEnding.decode(bytes))
    case HostTrapped.number: return .trapped(try HostTrapped.decode(bytes))
    case SensorOpened.number: return .opened(try SensorOpened.decode(bytes))
    case SensorClosed.number:
      _ = try SensorClosed.decode(bytes)
      return .closed
    case SensorDescribed.number: return .described(try SensorDescribed.decode(bytes).description)
    case DeviceChange.number: return .change(try DeviceChange.decode(bytes))
    case LiftAwaited.number:
      _ = try LiftAwaited.decode(bytes)
      return .liftAwaited
    default: throw .unknownMessage(number: bytes[0])
    }
  }
}

// The mailbox between the core (or a command) and one authcore-host. Messages to the host have the
// numbers 1…19, messages to the core 20…39 and ``Failure`` (0), which ends the start of a host or
// refuses an OpenSensorRequest.

extension HostEnding {
  package init(_ reason: String) { self.init(reason: String(reason.prefix(1000))) }
}

extension PluginLogLevel {
  package static func < (left: PluginLogLevel, right: PluginLogLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What the sandbox of a host permits once its plugin runs.
package enum Confinement: String, CaseIterable, WireField {
  /// No sandbox: `AUTHCORE_SANDBOX=off`.
  case off
  /// No new descriptors.
  case closed
  /// No new descriptors; the USB device that is handed over can be used.
  case usesDevice = "uses-device"
  /// Files may be opened for reading, devices not; a USB device that is handed over can be used.
  case readsFiles = "reads-files"
  /// Connected devices and changes can be seen; no device may be opened.
  case watchesDevices = "watches-devices"
  /// Libraries may find and open devices themselves.
  case opensDevices = "opens-devices"
  /// Files in one folder may be read, written and removed.
  case enclave
}

extension SandboxReport {
  package var isOn: Bool { confinement != .off }

  /// A sandbox that has not been entered.
  package init(_ confinement: Confinement) { self.init(confinement: confinement) }

  /// The report as it is sent, with at most 32 sentences of 500 characters.
  package var bounded: SandboxReport {
    var report = self
    report.lacks = lacks.prefix(32).map { String($0.prefix(500)) }
    return report
  }
}

extension DeviceOpening {
  /// How many descriptors travel with the message.
  package var descriptorCount: Int { (hasDescriptor ? 1 : 0) + (recordsTraffic ? 1 : 0) }

  /// Room for the models of a driver with as many matches as there can be, "05ba:000a," each.
  static let longestText = DriverDescription.maximumMatches * 10
}

extension OpenSensorRequest {
  /// How many descriptors travel with the message.
  package var descriptorCount: Int {
    (device?.descriptorCount ?? 0) + options.count { $0.kind == .file }
  }
}

extension SensorIdentity {
  // Each byte that is not UTF-8 became U+FFFD, which has three.
  static let longestText = 3 * 64

  /// This comes from a process that ran a plugin, so everything is checked again.
  func check() throws(DecodeError) {
    try DriverDescription.requirePossible(width: width, height: height, pixelsPerInch)
  }
}

extension SensorOption {
  package static let longestValue = 4096

  func check() throws(DecodeError) {
    guard DriverDescription.isName(name) else { throw .invalidValue(field: "option name") }
  }
}

extension SensorOption.Kind {
  package var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .file: "file"
    }
  }
}
