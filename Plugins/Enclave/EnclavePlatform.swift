import AuthcoreABI
import Cryptography
import EngineKit
import Protocol

/// What the enclave needs of the machine it runs on. All calls belong to its one thread.
protocol EnclavePlatform: AnyObject {
  /// Nanoseconds since boot, suspended time included.
  var bootTime: UInt64 { get }
  /// The kernel's name of this boot, 16 bytes; empty where it tells none.
  var bootIdentity: [UInt8] { get }
  /// Seconds since 1970; may jump. Only for dates that people read.
  var wallClock: Int64 { get }
  /// Random bytes.
  func random(count: Int) throws(Failure) -> SecretBytes
  /// A file of the enclave's folder, or nil where there is none.
  func load(_ name: String, limit: Int) throws(Failure) -> SecretBytes?
  /// Replaces a file as one durable step; on failure the old one is untouched.
  func save(_ name: String, _ bytes: borrowing SecretBytes) throws(Failure)
  /// Removes a file, durably; none is fine.
  func remove(_ name: String) throws(Failure)
  /// Sends a command to the TPM and waits for its response; without `AC_OK` there is none
  /// (engine.h, "tpm/1").
  func transmitToTPM(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> ac_status_t
  /// Sends an event to the core.
  func emit(_ event: borrowing SecretBytes)
  /// A line for the log; never a secret.
  func log(_ level: ac_log_level_t, _ text: String)
}

extension EngineServices: EnclavePlatform {}

extension EnclavePlatform {
  /// This moment.
  var bootMoment: BootMoment { BootMoment(boot: bootIdentity, time: bootTime) }
}

/// Runs `body`, whose failure means that the library or the machine is broken: inputs are the
/// enclave's own.
func cryptographic<Value: ~Copyable>(
  _ body: () throws(CryptographyError) -> Value
) throws(Failure) -> Value {
  do throws(CryptographyError) {
    return try body()
  } catch {
    throw .cryptographyFailed(error)
  }
}

extension Failure {
  /// The library or the machine is broken.
  static func cryptographyFailed(_ error: CryptographyError) -> Failure {
    Failure(
      .engineFailed, "the enclave's cryptography failed: \(error)",
      hint: "check that libcrypto 3 is installed and whole, and that there is memory left")
  }
}

extension EnclavePlatform {
  /// A new random key.
  func randomKey() throws(Failure) -> SymmetricKey {
    let bytes = try random(count: SymmetricKey.size)
    do throws(CryptographyError) {
      return try SymmetricKey(bytes)
    } catch {
      throw Failure(.engineFailed, "the enclave's host gives other random bytes than asked for")
    }
  }

  /// Random bytes that are no secret.
  func randomOpenBytes(count: Int) throws(Failure) -> [UInt8] {
    let bytes = try random(count: count)
    return bytes.copied
  }
}
