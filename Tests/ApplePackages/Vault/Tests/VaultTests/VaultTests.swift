import CryptoKit
import Foundation
import LocalAuthentication
import Testing

@testable import Vault

@Suite("CryptoKit, as code for Apple's systems uses it", .serialized)
struct VaultTests {
  typealias Signer = SecureEnclave.P256.Signing.PrivateKey
  typealias Agreer = SecureEnclave.P256.KeyAgreement.PrivateKey

  @Test("X5: a key of the enclave is kept by its data representation, signs data and digests")
  func kept() throws {
    #expect(SecureEnclave.isAvailable)
    let key = try Signer()
    #expect(key.publicKey.compactRepresentation != nil)
    try KeyStore.save(key, as: "signer")
    let again: Signer = try #require(try KeyStore.load("signer"))
    #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
    let data = Data("said".utf8)
    let signature = try again.signature(for: data)
    #expect(key.publicKey.isValidSignature(signature, for: data))
    #expect(!key.publicKey.isValidSignature(signature, for: data + [0]))
    let parsed = try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation)
    #expect(parsed.rawRepresentation == signature.rawRepresentation)
    let digest = SHA512.hash(data: data)
    #expect(key.publicKey.isValidSignature(try again.signature(for: digest), for: digest))
    let loose = try Signer(compactRepresentable: false)
    #expect(loose.publicKey.x963Representation.count == 65)
    let software = P256.Signing.PrivateKey()
    try KeyStore.save(software, as: "software")
    let found: P256.Signing.PrivateKey = try #require(try KeyStore.load("software"))
    #expect(found.rawRepresentation == software.rawRepresentation)
  }

  @Test(
    "X5: a guarded key asks for a finger once in a context, and not at all where that is forbidden")
  func guarded() throws {
    let context = LAContext()
    context.localizedReason = "sign twice"
    let notary = try Notary(askingIn: context)
    #expect(notary.isInEnclave)
    for text in ["one", "two"] {
      let signature = try notary.sign(text)
      #expect(notary.publicKey.isValidSignature(signature, for: Data(text.utf8)))
    }
    let silent = LAContext()
    silent.interactionNotAllowed = true
    let mute = try Notary(askingIn: silent)
    let error = #expect(throws: (any Error).self) { try mute.sign("three") }
    #expect((error as? LAError)?.code == .notInteractive)
  }

  @Test("X5: both sides derive the same keys, by HKDF, X9.63 and HPKE")
  func agreement() throws {
    let key = try Agreer()
    try KeyStore.save(key, as: "agreer")
    let again: Agreer = try #require(try KeyStore.load("agreer"))
    let letter = try Letter("Dear Ann", for: key.publicKey)
    #expect(try letter.open(by: again) == "Dear Ann")
    for _ in 0..<8 {
      let other = P256.KeyAgreement.PrivateKey()
      let ours = try again.sharedSecretFromKeyAgreement(with: other.publicKey)
      let theirs = try other.sharedSecretFromKeyAgreement(with: key.publicKey)
      #expect(ours == theirs)
      let derived = ours.x963DerivedSymmetricKey(
        using: SHA384.self, sharedInfo: Data([1]), outputByteCount: 48)
      #expect(
        derived
          == theirs.x963DerivedSymmetricKey(
            using: SHA384.self, sharedInfo: Data([1]), outputByteCount: 48))
    }
    let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    let info = Data("info".utf8)
    var sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: info)
    let sealed = try sender.seal(Data("hidden".utf8))
    var recipient = try HPKE.Recipient(
      privateKey: again, ciphersuite: suite, info: info,
      encapsulatedKey: sender.encapsulatedKey)
    #expect(try recipient.open(sealed) == Data("hidden".utf8))
  }

  @Test("X5: data representations that are cut, changed or another key's are a CryptoKitError")
  func hostile() throws {
    let good = try Signer().dataRepresentation
    for bytes in [Data(), good.dropLast(), good + [0], Data(count: 1 << 20)] {
      let error = #expect(throws: CryptoKitError.self) { try Signer(dataRepresentation: bytes) }
      guard case .incorrectParameterSize? = error else {
        Issue.record("\(bytes.count) bytes: \(String(describing: error))")
        continue
      }
    }
    for place in [0, 20, good.count - 1] {
      var changed = good
      changed[place] ^= 1
      let error = #expect(throws: CryptoKitError.self) { try Agreer(dataRepresentation: changed) }
      guard case .unwrapFailure? = error else {
        Issue.record("byte \(place): \(String(describing: error))")
        continue
      }
    }
  }
}
