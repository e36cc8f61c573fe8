import Protocol

/// A connection that serves as an agent, and the request it does so under. Any thread.
final class ServingAgent: Sendable {
  let link: ClientLink
  /// The id of its ``Protocol/BecomeAgent``.
  private let request: UInt32

  init(_ link: ClientLink, request: UInt32) {
    self.link = link
    self.request = request
  }

  /// Sends what belongs to a prompt.
  /// - Returns: whether it was taken.
  func send(_ message: borrowing some WireMessage & ~Copyable) -> Bool {
    link.send(ClientEnvelope.encode(message, request: request))
  }
}
