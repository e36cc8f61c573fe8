import Cryptography
import Protocol

/// Bytes from the hexadecimal digits of a published vector; spaces are left out.
func hex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count - 1, by: 2).map {
    UInt8(values[$0] << 4 | values[$0 + 1])
  }
}

func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

func symmetricKey(_ bytes: [UInt8]) throws -> SymmetricKey { try SymmetricKey(secret(bytes)) }

/// The bytes of a secret, where a test has to look at them.
func revealed(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.bytes.indices.map { secret.bytes[$0] }
}
