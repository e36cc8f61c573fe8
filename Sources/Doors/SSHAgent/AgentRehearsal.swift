import Protocol

/// A connection of the agent without sockets and keys, for fuzzers.
package enum AgentRehearsal {
  /// Takes what a client sends, message by message, and checks what must hold after each.
  ///
  /// - Parameter stream: as it comes from a socket. Every P-256 point that ends in an even byte
  ///   counts as a key of the enclave.
  /// - Returns: how many messages it held.
  @discardableResult
  package static func take(_ stream: [UInt8]) -> Int {
    var (cutter, session, count) = (MessageCutter(), AgentSession(), 0)
    cutter.append(stream[...])
    while let message = try? cutter.next() {
      count += 1
      let known = session.binds
      switch session.take(message, isOurs: { $0[64] % 2 == 0 }) {
      case .answer(let answer), .tell(_, let answer):
        precondition(!answer.isEmpty, "every message has an answer")
      case .sign(let request):
        let reason = SigningReason(request, "", by: .unknown, KnownHosts(files: []))
        precondition(!reason.text.unicodeScalars.contains(where: \.isSteering), "one line of text")
        if case .login(let login) = request.data, let last = request.binds.last {
          precondition(last.session == login.session && !last.isForwarding, "another session")
        }
      case .forward(let forwarded):
        precondition(
          ![17, 18, 19, 20, 21, 22, 23, 25, 26].contains(forwarded[0])
            || !known.contains(where: \.isForwarding), "a forwarded connection changes nothing")
      case .list, .refuse: break
      }
      precondition(session.binds.starts(with: known), "a bind lasts as long as its connection")
      _ = AgentMessage.identities(in: message)
    }
    return count
  }
}
