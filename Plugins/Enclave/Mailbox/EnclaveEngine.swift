// The enclave engine: matches prints, counts what fails, and opens what the evidence permits.

package import AuthcoreABI
package import EngineKit
package import Wire

/// The mailbox of the enclave: bytes in, one request carried out, bytes out.
package final class EnclaveEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_ENCLAVE) }
  package static var name: StaticString { "software-enclave" }
  package static var version: StaticString { "1.0" }

  /// The enclave, or what every request is answered with because its state cannot be used.
  private let enclave: Result<Enclave, Failure>

  package init(services: EngineServices) throws(Failure) {
    enclave = Self.load(services, .calibrated)
  }

  /// An enclave on another platform than a host's.
  init(platform: any EnclavePlatform, passcodeCost: PasscodeCost) {
    enclave = Self.load(platform, passcodeCost)
  }

  private static func load(
    _ platform: any EnclavePlatform, _ cost: PasscodeCost
  ) -> Result<Enclave, Failure> {
    Result { () throws(Failure) in try Enclave(on: platform, passcodeCost: cost) }
  }

  package func handle(_ request: Span<UInt8>) -> SecretBytes {
    do throws(Failure) {
      let enclave = try enclave.get()
      enclave.expireWhatIsHeld()
      return try enclave.noticingOldFiles { () throws(Failure) in
        try EnclaveRequestTable.answer(request, enclave)
      }
    } catch {
      return error.encoded()
    }
  }
}
