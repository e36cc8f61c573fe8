// The mailbox between the core (or a command) and one authcore-host. Core to host: 1…19, host to
// core: 20…39, and ``Failure`` (0), which ends the start of a host or refuses an OpenSensorRequest.

/// Host to core: the plugin is loaded and waits for work.
package struct HostReady: WireMessage, Equatable {
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
    encoder.write(pluginName, pluginVersion, abiVersion, path, report)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (pluginName, pluginVersion, abiVersion, path, report) = try decoder.read()
  }
}

/// Host to core: how far the start has come; names the culprit when nothing follows.
package struct HostStage: WireMessage, Equatable {
  package static var number: UInt8 { 21 }

  /// What the host is about to do.
  package enum Stage: UInt8, WireField {
    case loading = 1
    case entry = 2
    case creation = 3
  }

  package let stage: Stage
  package init(_ stage: Stage) { self.stage = stage }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(stage) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { stage = try decoder.read() }
}

/// Host to core: a line for the log, written by the plugin or about it.
package struct HostLog: WireMessage, Equatable {
  package static var number: UInt8 { 22 }
  package let level: PluginLogLevel
  /// At most 1,024 bytes.
  package let text: String
  package init(_ level: PluginLogLevel, _ text: String) {
    self.level = level
    self.text = text
  }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(level, text) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (level, text) = try decoder.read()
  }
}

/// Host to core: the host ends itself because the plugin broke a rule.
package struct HostEnding: WireMessage, Equatable {
  package static var number: UInt8 { 23 }
  /// Which rule, and what the plugin did; at most 1,000 characters.
  package let reason: String
  package init(_ reason: String) { self.reason = String(reason.prefix(1000)) }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(reason) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { reason = try decoder.read() }
}

/// Host to core: the sandbox stopped a system call. Sent by the signal handler in CSystemCalls.
package struct HostTrapped: WireMessage, Equatable {
  package static var number: UInt8 { 24 }
  /// The number of the system call.
  package let call: UInt32
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(call) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { call = try decoder.read() }
}
