import Protocol
import Synchronization

/// The enclave as one request asks it. The context of the request is opened with the first question,
/// so that a request that asks nothing costs the enclave nothing. Any thread.
final class RequestEnclave: Sendable {
  /// When it ends, so does the request.
  let client: EnclaveClient
  private let inbox: RequestInbox
  /// The context that the enclave has not been told of.
  private let owed = Mutex<OpenContext?>(nil)

  init(_ client: EnclaveClient, _ inbox: RequestInbox) {
    self.client = client
    self.inbox = inbox
  }

  /// Asks for a reply of this kind; returns soon if the request is interrupted.
  func ask<Reply: WireMessage & ~Copyable>(
    _ request: borrowing some WireMessage & ~Copyable, reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try openOwed()
    return try client.ask(request, for: inbox)
  }

  /// Sends a request that ``Protocol/Done`` answers.
  func tell(_ request: borrowing some WireMessage & ~Copyable) throws(Failure) {
    try openOwed()
    try client.tell(request, for: inbox)
  }

  /// Asks, in one message, for the context to be opened and for a reply; holds no secret.
  func askAtOnce<Reply: WireMessage>(_ request: some WireMessage) throws(Failure) -> Reply {
    guard let owed = takeOwed() else { return try client.ask(request, for: inbox) }
    return try client.ask([owed], then: request, for: inbox)
  }

  /// Passes an application's message on in a context.
  func forward(
    _ message: borrowing SecretBytes, in context: ContextName
  ) throws(Failure) -> SecretBytes {
    try openOwed()
    return try client.call(
      ApplicationRequest.encoded(context: context, message: message), for: inbox)
  }

  /// Has the context opened before the next question.
  func owe(_ context: OpenContext) { owed.withLock { $0 = context } }

  /// The context that was not opened, and will not be.
  func takeOwed() -> OpenContext? { owed.withLock { $0.take() } }

  /// Opens the context, unless that was done.
  func openOwed() throws(Failure) {
    if let owed = takeOwed() { try client.tell(owed, for: inbox) }
  }
}
