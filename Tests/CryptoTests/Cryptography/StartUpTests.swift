import Cryptography
import Glibc
import Protocol
import TestSupport
import Testing

@Suite("Random bytes and libcrypto's start-up")
struct StartUpTests {
  @Test("random bytes come in every count and do not repeat")
  func randomBytes() throws {
    for count in [0, 1, 12, 255, 257, 70_000] {
      #expect(try RandomBytes.open(count: count).count == count)
      let secret = try RandomBytes.secret(count: count)
      #expect(secret.count == count)
    }
    let drawn = try (0..<100).map { _ in try RandomBytes.open(count: 16) }
    #expect(Set(drawn).count == 100)
    let secret = try RandomBytes.secret(count: 32)
    #expect(revealed(secret) != [UInt8](repeating: 0, count: 32))
  }

  @Test("everything works in a process that can open no file, from its first use on")
  func withoutFiles() async {
    await #expect(processExitsWith: .success) {
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0 else {
        exit(2)
      }
      guard try useEverything() else { exit(3) }
    }
  }
}

/// Uses each algorithm once.
private func useEverything() throws(CryptographyError) -> Bool {
  let message: [UInt8] = [1]
  let root = try SymmetricKey()
  let key = try root.derivedKey(for: "test")
  let sealed = try AES256GCM.seal(message.span, with: key, authenticating: message)
  let opened = try AES256GCM.open(sealed, with: key, authenticating: message)
  let hash = try SHA2.sha512(message.span)
  let code = try HMACSHA256.code(for: hash.span, with: key.bytes)
  guard let scrypt = Scrypt(cost: 16, blockSize: 1, parallelism: 1) else { return false }
  let stretched = try scrypt.deriveKey(from: message.span, salt: code, count: 32)
  let pair = try P256PrivateKey()
  let signature = try pair.signature(forDigest: SHA2.sha256(message.span))
  let shared = try pair.sharedSecret(with: pair.publicKey)
  let certificate = TestCertificate(point: pair.publicKey.point).der()
  guard let read = try? X509Certificate(der: certificate.span),
    DistinguishedName(der: read.subject)?.summary == "subject"
  else { return false }
  return try pair.publicKey.isValid(signature, for: message.span)
    && opened.isEqual(to: message.span) && stretched.count == 32 && shared.count == 32
}
