import Protocol

/// What an engine was asked, out of its envelope where it came in one.
struct OpenedRequest {
  /// Of the message inside.
  let number: UInt8
  /// The message inside.
  let message: [UInt8]
  /// Empty without an envelope.
  let application: String
  let context: ContextName

  /// Nil where the bytes are no message.
  init?(_ request: [UInt8]) {
    do {
      switch request.first {
      case ApplicationRequest.number:
        let envelope = try ApplicationRequest(decoding: request.span)
        message = Self.array(envelope.message)
        application = envelope.context.requester.application
        context = envelope.context
      case KeychainRequest.number:
        let envelope = try KeychainRequest(decoding: request.span)
        message = Self.array(envelope.message)
        application = ""
        context = envelope.context
      default:
        message = request
        application = ""
        context = ContextName(noContext, of: Requester(application: "", connection: 0))
      }
    } catch {
      return nil
    }
    guard let first = message.first else { return nil }
    number = first
  }

  private static func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }
}
