package import AuthcoreABI
package import Protocol

/// What an engine author writes: one class. ``EngineExport`` makes the C table of engine.h from it.
package protocol Engine: AnyObject {
  /// Enclave, keychain or policy (`AC_ENGINE_…`).
  static var kind: ac_engine_kind_t { get }
  /// A name for people: lower case, digits, '-'.
  static var name: StaticString { get }
  /// The engine's own version.
  static var version: StaticString { get }

  /// Readies the engine. A failure ends its host with that message.
  init(services: EngineServices) throws(Failure)

  /// Handles one request (message number and fields) and gives the reply: a message of its own or
  /// an encoded ``Failure``. Never called concurrently. Must not trap, whatever the bytes are.
  func handle(_ request: Span<UInt8>) -> SecretBytes
}
