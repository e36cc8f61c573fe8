/// A request that failed: a stable code, a sentence that names the thing, and what to do about it.
package struct Failure: Error, Equatable, Sendable {
  /// The stable part.
  package let code: FailureCode
  /// One sentence without a full stop at the end; never holds a secret.
  package let message: String
  /// What the person can do, where there is something.
  package let hint: String?

  /// Describes a failure.
  package init(_ code: FailureCode, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}

extension Failure: WireMessage {
  /// Zero in every protocol.
  package static var number: UInt8 { 0 }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.writeInt32(code.number)
    encoder.writeText(String(message.prefix(2000)))
    encoder.writeOptional(hint) { $0.writeText(String($1.prefix(2000))) }
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    guard let code = FailureCode(number: try decoder.readInt32()) else {
      throw .invalidValue(field: "failure code")
    }
    self.code = code
    message = try decoder.readText(limit: 8192)
    hint = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readText(limit: 8192)
    }
  }
}
