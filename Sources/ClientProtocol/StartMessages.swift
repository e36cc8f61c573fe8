package import Wire

// What `authcored` tells whoever started it, through the descriptor named by --ready-fd: one
// message, framed by its `uint32` length as everywhere, without a request id: ``CoreReady`` or a
// ``Wire/Failure``. Then the descriptor is closed.

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

/// Names inside a state folder that a client and its core agree on.
package enum StateFolder {
  /// The core's socket.
  package static let socket = "core.sock"
  /// Held with `flock(2)` by the core of this folder while it lives.
  package static let lock = "core.lock"
  /// What drivers said about themselves, remembered by whoever asked.
  package static let descriptions = "descriptions"
  /// The permissions of the folder; one that others may enter is refused.
  package static let mode: UInt32 = 0o700
}
