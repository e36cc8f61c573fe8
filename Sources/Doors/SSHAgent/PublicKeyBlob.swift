import Cryptography
import Protocol

/// A public key in SSH's form, or the key inside a certificate (RFC 4253 §6.6, RFC 5656 §3.1,
/// RFC 8709 §4). Reading one proves nothing about a certificate: it names a key.
struct PublicKeyBlob: Equatable, Sendable {
  let key: VerifyingKey
  /// The key alone, without a certificate around it.
  let plain: [UInt8]
  let isCertificate: Bool

  private static let certificateSuffix = "-cert-v01@openssh.com"

  init(_ blob: [UInt8]) throws(DecodeError) {
    var decoder = WireDecoder(blob.span)
    var type = try decoder.readText(limit: 64)
    isCertificate = type.hasSuffix(Self.certificateSuffix)
    if isCertificate {
      type.removeLast(Self.certificateSuffix.count)
      // The nonce.
      _ = try decoder.readSpan(limit: 256)
    }
    var encoder = WireEncoder(capacity: blob.count)
    encoder.writeText(type)
    switch type {
    case "ssh-ed25519":
      let bytes = try decoder.readBytes(limit: 32)
      guard bytes.count == 32 else { throw .invalidValue(field: "key") }
      key = .ed25519(bytes)
      encoder.writeBytes(bytes)
    case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521":
      let name = try decoder.readText(limit: 16)
      guard type == "ecdsa-sha2-" + name else { throw .invalidValue(field: "curve") }
      let curve: VerifyingKey.Curve =
        name == "nistp256" ? .p256 : name == "nistp384" ? .p384 : .p521
      let point = try decoder.readBytes(limit: 1 + 2 * curve.size)
      guard point.count == 1 + 2 * curve.size, point[0] == 4 else {
        throw .invalidValue(field: "point")
      }
      key = .ecdsa(curve, point: point)
      encoder.writeText(name)
      encoder.writeBytes(point)
    case "ssh-rsa":
      let exponent = try decoder.readInteger(limit: 8)
      let modulus = try decoder.readInteger(limit: 2048)
      // 1,024 bits are OpenSSH's limit (SSH_RSA_MINIMUM_MODULUS_SIZE).
      guard modulus.count >= 128 else { throw .invalidValue(field: "modulus") }
      key = .rsa(modulus: modulus, exponent: exponent)
      encoder.writeInteger(exponent)
      encoder.writeInteger(modulus)
    default: throw .invalidValue(field: "key type")
    }
    if !isCertificate { try decoder.finish() }
    plain = encoder.finishPlain()
  }

  /// The point, if it is a key as the enclave has them.
  var p256Point: [UInt8]? {
    guard case .ecdsa(.p256, let point) = key else { return nil }
    return point
  }

  /// As OpenSSH writes it: `SHA256:` and base64 without padding.
  var fingerprint: String {
    guard let hash = try? SHA2.sha256(plain.span) else { return "SHA256:?" }
    return "SHA256:" + Base64.text(of: hash).prefix { $0 != "=" }
  }

  /// Checks a signature in SSH's form: a string with the algorithm's name, and one with what the
  /// algorithm makes (RFC 5656 §3.1.2, RFC 8332 §3, RFC 8709 §6).
  func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let read = try? read(signature) else { return false }
    return key.isValid(read.bytes, for: message.span, by: read.function)
  }

  private func read(
    _ signature: [UInt8]
  ) throws(DecodeError) -> (bytes: [UInt8], function: HashFunction) {
    var decoder = WireDecoder(signature.span)
    let algorithm = try decoder.readText(limit: 64)
    let bytes = try decoder.readBytes(limit: 4096)
    try decoder.finish()
    switch (key, algorithm) {
    case (.ed25519, "ssh-ed25519"): return (bytes, .sha512)
    case (.ecdsa(.p256, _), "ecdsa-sha2-nistp256"): return (try der(bytes, .p256), .sha256)
    case (.ecdsa(.p384, _), "ecdsa-sha2-nistp384"): return (try der(bytes, .p384), .sha384)
    case (.ecdsa(.p521, _), "ecdsa-sha2-nistp521"): return (try der(bytes, .p521), .sha512)
    case (.rsa(let modulus, _), "rsa-sha2-256"): return (padded(bytes, modulus.count), .sha256)
    case (.rsa(let modulus, _), "rsa-sha2-512"): return (padded(bytes, modulus.count), .sha512)
    default: throw .invalidValue(field: "algorithm")
    }
  }

  private func der(_ bytes: [UInt8], _ curve: VerifyingKey.Curve) throws(DecodeError) -> [UInt8] {
    var decoder = WireDecoder(bytes.span)
    let r = try decoder.readInteger(limit: curve.size)
    let s = try decoder.readInteger(limit: curve.size)
    try decoder.finish()
    do throws(CryptographyError) {
      return try ECDSASignature(
        raw: padded(r, curve.size) + padded(s, curve.size), size: curve.size
      ).der
    } catch {
      throw .invalidValue(field: "signature")
    }
  }

  private func padded(_ number: [UInt8], _ count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, count - number.count)) + number
  }
}
