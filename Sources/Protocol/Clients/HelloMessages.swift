/// The first message of a client. Reply: ``Welcome``. Its form never changes.
package struct Hello: WireMessage, Equatable {
  package static var number: UInt8 { 2 }

  package let protocolVersion: UInt32
  package let softwareVersion: String

  package init(protocolVersion: UInt32, softwareVersion: String) {
    self.protocolVersion = protocolVersion
    self.softwareVersion = softwareVersion
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(protocolVersion, softwareVersion)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (protocolVersion, softwareVersion) = try decoder.read()
  }
}

/// Who answers. Its form never changes.
package struct Welcome: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  package let protocolVersion: UInt32
  package let softwareVersion: String
  /// Whether this is the service of the machine, not a core started on demand.
  package let isService: Bool
  /// The core's process id in its own namespace.
  package let process: UInt32

  package init(protocolVersion: UInt32, softwareVersion: String, isService: Bool, process: UInt32) {
    self.protocolVersion = protocolVersion
    self.softwareVersion = softwareVersion
    self.isService = isService
    self.process = process
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(protocolVersion, softwareVersion, isService, process)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (protocolVersion, softwareVersion, isService, process) = try decoder.read()
  }
}

/// Ends the core; the reply ``Done`` comes before it begins to end. Its form never changes.
package struct Quit: WireMessage, Equatable {
  package static var number: UInt8 { 4 }

  /// Refuse with `busy` while the device is unlocked or biometric unlock is armed (a client of
  /// another version asks so).
  package let unlessUnlocked: Bool

  package init(unlessUnlocked: Bool) {
    self.unlessUnlocked = unlessUnlocked
  }

  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(unlessUnlocked) }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    unlessUnlocked = try decoder.read()
  }
}
