extension PromptOptions {
  /// How long anybody waits for a touch or an answer at most, in milliseconds: a day.
  package static let longestTimeoutMilliseconds: UInt32 = 86_400_000

  /// For requests that must not prompt: one that would have to fails.
  package static let none = PromptOptions(
    reason: "", fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 0, mayPrompt: false,
    touch: .none, canGivePasscode: false, prefersPasscode: false, mayUseAgent: false)
}

extension CoreStatus {
  /// What ``device`` says where frames that repeat count as touches.
  package static let repeatingDevice = "tape, whose frames may repeat"
}

extension GiveStateBytes {
  /// Most bytes of one message.
  package static var most: Int { 64 << 10 }
}

extension StatePart {
  /// The folder's name.
  package var folder: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    }
  }

  /// The files that make up a state. What else lies there stays behind: what was put aside, what is
  /// made anew, and the mark of an enclave that destroys itself.
  package var files: [String] {
    switch self {
    case .enclave:
      ["attempts", "keybag", "root.key"]
        + (1...5).flatMap { ["finger-\($0)", "adapted-\($0)"] }
    case .keychain: ["keychain.sqlite", "keychain.sqlite-wal"]
    }
  }
}

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

extension EngineRequest {
  borrowing func check() throws(DecodeError) { try EngineMessages.requireShort(message) }
}
