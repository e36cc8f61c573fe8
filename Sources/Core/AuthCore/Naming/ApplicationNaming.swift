import LinuxSystem
import Protocol

/// Says who a client is, when it is accepted (K2).
protocol ApplicationNaming: Sendable {
  /// Whose items the process at the other end of a socket means.
  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient
}

/// Who a client was when it was accepted. What its process runs later changes nothing of it.
struct NamedClient: Sendable {
  /// The name of the application; empty: nobody knows.
  let application: String
  /// Whether that is the program that shows prompts for others.
  let isAgentProgram: Bool
  /// Holds it to being that process and that program; nil: nobody does.
  let program: PeerProgram?

  init(application: String, isAgentProgram: Bool, program: PeerProgram? = nil) {
    self.application = application
    self.isAgentProgram = isAgentProgram
    self.program = program
  }
}
