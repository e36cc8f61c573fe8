// What `authcored` tells whoever started it, through the descriptor named by --ready-fd: one
// message, framed by its `uint32` length as everywhere, without a request id: ``CoreReady``,
// ``ResolvedDriver`` where that was asked, or a ``Failure``. Then the descriptor is closed.

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
