import Protocol

@testable import EnclaveEngine

extension RootKey {
  /// Reads a file on a machine without a TPM.
  static func decode(_ file: borrowing SecretBytes) throws(Failure) -> RootKey {
    let platform = SimulatedPlatform()
    return try load(file, PlatformTPM(platform), on: platform)
  }
}
