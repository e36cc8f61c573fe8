// Evidence contexts: where the enclave keeps what has been proved, and how everybody names them.

/// In place of the number of a context: nothing has been proved.
package let noContext: UInt64 = 0

/// How old an unlock by touch may be that counts once more, in seconds: as long as Apple allows
/// (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
package let longestReuse: UInt32 = 300

/// The longest name of an application, in bytes.
package let longestApplication = 512

/// Who asks, by the core's word.
package struct Requester: Hashable, WireField {
  /// From the kernel's credentials of the client (K2).
  package let application: String
  /// Names one connection of a client to the core; the core gives no number twice.
  package let connection: UInt64
  package init(application: String, connection: UInt64) {
    self.application = application
    self.connection = connection
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(application, connection) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    application = try decoder.readText(limit: longestApplication)
    connection = try decoder.read()
  }
}

/// A context, and who names it: the enclave knows it by that name alone, so that nobody but who
/// opened it can use it.
package struct ContextName: Hashable, WireField {
  package let requester: Requester
  /// Chosen by the core, or ``noContext``.
  package let number: UInt64
  package init(_ number: UInt64, of requester: Requester) {
    self.requester = requester
    self.number = number
  }
  package func encode(into encoder: inout WireEncoder) { encoder.write(requester, number) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (requester, number) = try decoder.read()
  }
}
