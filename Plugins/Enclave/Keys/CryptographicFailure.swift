import Cryptography
import Protocol

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
