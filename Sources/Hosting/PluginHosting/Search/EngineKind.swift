/// The three engines, numbered as in engine.h.
package enum EngineKind: Int32, CaseIterable, Sendable {
  case enclave = 1
  case keychain = 2
  case policy = 3

  /// Its word in file names and messages.
  package var name: String {
    switch self {
    case .enclave: "enclave"
    case .keychain: "keychain"
    case .policy: "policy"
    }
  }

  /// The plugin's file, "libauthcore-enclave.so".
  package var fileName: String { "libauthcore-\(name).so" }
}
