// What `authcored` tells whoever started it, through the descriptor named by --ready-fd: one
// message, framed by its `uint32` length as everywhere, without a request id: ``CoreReady``,
// ``ResolvedDriver`` where that was asked, or a ``Failure``. Then the descriptor is closed.

/// The core of this state folder serves: its socket takes connections.
package struct CoreReady: WireMessage, Equatable {
  package static var number: UInt8 { 2 }

  /// The process that serves, in its own namespace; 0 where another one does.
  package let process: UInt32
  /// Another core has the folder's lock and serves; the one that says this has ended.
  package let wasRunning: Bool

  package init(process: UInt32, wasRunning: Bool) {
    self.process = process
    self.wasRunning = wasRunning
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(process, wasRunning)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (process, wasRunning) = try decoder.read()
  }
}

/// What `authcored --resolve-driver` answers: what a driver's name and options come to. A client
/// that links no part of the core asks so, opens the files, and goes on with ``UseDriver``.
package struct ResolvedDriver: WireMessage, Equatable {
  package static var number: UInt8 { 3 }

  /// Absolute path of the driver.
  package let driver: String
  /// Those that were given, checked.
  package let options: [DriverOption]
  /// What the client opens for reading, an absolute path for each option with a descriptor.
  package let files: [String]
  /// Whether what it delivers is no finger on a sensor.
  package let isSynthetic: Bool

  package init(driver: String, options: [DriverOption], files: [String], isSynthetic: Bool) {
    self.driver = driver
    self.options = options
    self.files = files
    self.isSynthetic = isSynthetic
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(driver, options, files, isSynthetic)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (driver, options, files, isSynthetic) = try decoder.read()
  }
}

/// Names inside a state folder that a client and its core agree on.
package enum StateFolder {
  /// The core's socket.
  package static let socket = "core.sock"
  /// Held with `flock(2)` by the core of this folder while it lives.
  package static let lock = "core.lock"
  /// Held with a shared `flock(2)` by agents that come as soon as a core of this folder serves.
  package static let agentLock = "agent.lock"
  /// What drivers said about themselves, remembered by whoever asked.
  package static let descriptions = "descriptions"
  /// The permissions of the folder; one that others may enter is refused.
  package static let mode: UInt32 = 0o700
}
