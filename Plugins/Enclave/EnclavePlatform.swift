import AuthcoreABI
import Cryptography
import EngineKit
import Protocol

/// The machine that the enclave runs on. Called on its one thread.
protocol EnclavePlatform: AnyObject {
  /// Nanoseconds since boot, including suspended time.
  var bootTime: UInt64 { get }
  /// The kernel's name of this boot, 16 bytes; empty if unknown.
  var bootIdentity: [UInt8] { get }
  /// Seconds since 1970; may jump. For dates that people read.
  var wallClock: Int64 { get }
  func random(count: Int) throws(Failure) -> SecretBytes
  /// A file of the enclave's folder, or nil.
  func load(_ name: String, limit: Int) throws(Failure) -> SecretBytes?
  /// Replaces a file in one durable step; a failure leaves the old one.
  func save(_ name: String, _ bytes: borrowing SecretBytes) throws(Failure)
  /// Removes a file, if there is one, durably.
  func remove(_ name: String) throws(Failure)
  /// Sends a command to the TPM and waits for its response; without `AC_OK` there is none
  /// (engine.h, "tpm/1").
  func transmitToTPM(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> ac_status_t
  func emit(_ event: borrowing SecretBytes)
  /// Logs a line, which must not hold a secret.
  func log(_ level: ac_log_level_t, _ text: String)
}

extension EngineServices: EnclavePlatform {}

extension EnclavePlatform {
  var bootMoment: BootMoment { BootMoment(boot: bootIdentity, time: bootTime) }
}

/// Runs `body`. Its inputs are the enclave's own, so a failure means a broken library or machine.
func cryptographic<Value: ~Copyable>(
  _ body: @autoclosure () throws(CryptographyError) -> Value
) throws(Failure) -> Value {
  do throws(CryptographyError) {
    return try body()
  } catch {
    throw .cryptographyFailed(error)
  }
}

extension Failure {
  static func cryptographyFailed(_ error: CryptographyError) -> Failure {
    Failure(
      .engineFailed, "the enclave's cryptography failed: \(error)",
      hint: "check that libcrypto 3 is installed and whole, and that there is memory left")
  }
}

extension EnclavePlatform {
  func randomKey() throws(Failure) -> SymmetricKey {
    let bytes = try random(count: SymmetricKey.size)
    do throws(CryptographyError) {
      return try SymmetricKey(bytes)
    } catch {
      throw Failure(.engineFailed, "the enclave's host gives other random bytes than asked for")
    }
  }

  func randomOpenBytes(count: Int) throws(Failure) -> [UInt8] {
    let bytes = try random(count: count)
    return bytes.copied
  }
}
