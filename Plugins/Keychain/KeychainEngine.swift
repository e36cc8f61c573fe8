package import AuthcoreABI
package import EngineKit
package import Wire

/// Remembers sealed items and their attributes; opens none.
package final class KeychainEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_KEYCHAIN) }
  package static var name: StaticString { "sqlite-keychain" }
  package static var version: StaticString { "1.0" }
  package init(services: EngineServices) throws(Failure) {}
  package func handle(_ request: Span<UInt8>) -> SecretBytes {
    Failure(.unsupported, "this keychain keeps no items yet").encoded()
  }
}
