// The enclave engine: matches prints, counts what fails, and opens what the evidence permits.

public import AuthcoreABI
package import EngineKit
package import Protocol

/// The one symbol of this engine, which Package.swift gives the name `ac_engine_entry` (engine.h).
@c(EnclaveEngine_entry)
public func enter(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_engine: UnsafeMutablePointer<UnsafePointer<ac_engine_plugin_t>?>!
) -> ac_status_t { unsafe EngineExport.enter(EnclaveEngine.self, host, ret_engine) }

/// The mailbox of the enclave.
package final class EnclaveEngine: Engine {
  package static var kind: ac_engine_kind_t { ac_engine_kind_t(AC_ENGINE_ENCLAVE) }
  package static var name: StaticString { "software-enclave" }
  package static var version: StaticString { "1.0" }

  /// The enclave, or the failure that answers every request while its state cannot be used.
  private var enclave: Result<Enclave, Failure>
  private let platform: any EnclavePlatform
  private let passcodeCost: PasscodeCost
  /// The lock state that the core was told last.
  private var told: LockNotice?

  package convenience init(services: EngineServices) throws(Failure) {
    self.init(platform: services, passcodeCost: .calibrated)
  }

  init(platform: any EnclavePlatform, passcodeCost: PasscodeCost) {
    self.platform = platform
    self.passcodeCost = passcodeCost
    enclave = Self.load(on: platform, passcodeCost)
    endRequest()
  }

  private static func load(
    on platform: any EnclavePlatform, _ cost: PasscodeCost,
    channels: TouchSessions = TouchSessions()
  ) -> Result<Enclave, Failure> {
    Result { () throws(Failure) in
      try Enclave(on: platform, passcodeCost: cost, channels: channels)
    }
  }

  private func endRequest() {
    if case .success(let enclave) = enclave { enclave.state.endRequest() }
  }

  /// The core hears of a lock change before the reply to the request that caused it.
  private func tellLock() {
    guard case .success(let enclave) = enclave, enclave.lockNotice != told else { return }
    told = enclave.lockNotice
    platform.emit(enclave.lockNotice.encoded())
  }

  package func handle(_ request: Span<UInt8>) -> SecretBytes {
    defer { tellLock() }
    do throws(Failure) {
      let enclave = try present()
      defer { endRequest() }
      enclave.keepTime()
      defer { enclave.touches.dropWhatIsNotUsed() }
      return try enclave.noticingOldFiles { () throws(Failure) in
        try EnclaveRequestTable.answer(request, enclave)
      }
    } catch {
      if error.code == .tpmReplaced, (try? SetStateAside.decode(request)) != nil {
        return setAside()
      }
      return (error.code == .deviceErased ? beginAnew(because: error) : error).encoded()
    }
  }

  /// The enclave. Loads it again if only the TPM kept it from loading.
  private func present() throws(Failure) -> Enclave {
    if case .failure(let failure) = enclave, failure.concernsTPM {
      enclave = Self.load(on: platform, passcodeCost)
    }
    return try enclave.get()
  }

  /// Sets aside the state of a TPM that is gone, and begins an empty one.
  private func setAside() -> SecretBytes {
    do throws(Failure) {
      try StateSetAside.move(on: platform)
      enclave = Self.load(on: platform, passcodeCost)
      _ = try enclave.get()
      return Done().encoded()
    } catch {
      return error.encoded()
    }
  }

  /// Completes the erasure and begins an empty enclave. If that fails, every request is answered
  /// with the reason, and the next start of the enclave goes on.
  private func beginAnew(because failure: Failure) -> Failure {
    guard case .success(let erased) = enclave else { return failure }
    let channels = erased.touches.endAll(with: failure)
    enclave = Self.load(on: platform, passcodeCost, channels: channels)
    guard case .failure(let incomplete) = enclave else { return failure }
    return incomplete
  }
}
