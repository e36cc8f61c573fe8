package import Sandbox
package import Wire

// The mailbox between the core (or a command) and one authcore-host. Core to host: 1…19, host to core: 20…39, and
// ``Failure`` (0), which ends the start of a host or refuses an OpenSensorRequest.

/// Host to core: the plugin is loaded and waits for work.
package struct HostReady: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 20 }
  /// What the plugin calls itself.
  package let pluginName: String
  /// Its own version.
  package let pluginVersion: String
  /// The version of the ABI it was built for, `(major << 16) | minor`.
  package let abiVersion: UInt32
  /// The canonical path of its file.
  package let path: String
  /// What its host got of the sandbox.
  package let report: SandboxReport

  /// Describes a host.
  package init(
    pluginName: String, pluginVersion: String, abiVersion: UInt32, path: String,
    report: SandboxReport
  ) {
    self.pluginName = pluginName
    self.pluginVersion = pluginVersion
    self.abiVersion = abiVersion
    self.path = path
    self.report = report
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(pluginName)
    encoder.writeText(pluginVersion)
    encoder.writeUInt32(abiVersion)
    encoder.writeText(path)
    report.encode(into: &encoder)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    pluginName = try decoder.readText(limit: 256)
    pluginVersion = try decoder.readText(limit: 256)
    abiVersion = try decoder.readUInt32()
    path = try decoder.readText(limit: 8192)
    report = try SandboxReport(from: &decoder)
  }
}

/// Host to core: how far the start has come; names the culprit when nothing follows.
package struct HostStage: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 21 }

  /// What the host is about to do.
  package enum Stage: UInt8, Sendable {
    case loading = 1
    case entry = 2
    case creation = 3
  }

  /// What the host is about to do.
  package let stage: Stage

  /// Describes a stage.
  package init(_ stage: Stage) { self.stage = stage }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeByte(stage.rawValue)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let stage = Stage(rawValue: try decoder.readByte()) else {
      throw .invalidValue(field: "host stage")
    }
    self.stage = stage
  }
}

/// Host to core: a line for the log, written by the plugin or about it.
package struct HostLog: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 22 }
  /// How serious it is.
  package let level: PluginLogLevel
  /// At most 1,024 bytes.
  package let text: String

  /// Describes a line.
  package init(_ level: PluginLogLevel, _ text: String) {
    self.level = level
    self.text = text
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeInt32(level.rawValue)
    encoder.writeText(text)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let level = PluginLogLevel(rawValue: try decoder.readInt32()) else {
      throw .invalidValue(field: "log level")
    }
    self.level = level
    text = try decoder.readText(limit: 4096)
  }
}

/// Host to core: the host ends itself because the plugin broke a rule.
package struct HostEnding: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 23 }
  /// Which rule, and what the plugin did.
  package let reason: String

  /// Describes an end.
  package init(_ reason: String) { self.reason = reason }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeText(String(reason.prefix(1000)))
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    reason = try decoder.readText(limit: 4096)
  }
}

/// Host to core: the sandbox stopped a system call. Sent by the signal handler in CSystemCalls.
package struct HostTrapped: WireMessage, Equatable {
  /// The number of this message.
  package static var number: UInt8 { 24 }
  /// The number of the system call.
  package let call: UInt32

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeUInt32(call) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    call = try decoder.readUInt32()
  }
}
