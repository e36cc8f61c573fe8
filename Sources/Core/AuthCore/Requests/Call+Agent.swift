import LinuxSystem
import Protocol

extension Call {
  /// Has the connection serve as an agent until the request is cancelled or the connection ends.
  /// - Throws: why it does no longer; it never returns.
  func serveAsAgent() throws(Failure) -> Never {
    // Not what root has served as a user: prompts are for that user alone.
    guard link.isAgentProgram, link.peer.user == core.user else {
      throw Failure(
        .errSecMissingEntitlement, "prompts of other programs are shown by authcore-agent only",
        hint: "the core takes the one that lies beside it")
    }
    let agent = ServingAgent(link, request: identifier)
    inbox.relayAnswers { [core] answer, prompt in
      core.agents.deliver(answer, to: prompt, from: agent)
    }
    try core.agents.add(agent)
    defer { core.agents.remove(agent) }
    attendAsAgent()
    // What it is asked and answers passes by; only its end is heard of here.
    while true { _ = try inbox.next() }
  }
}
