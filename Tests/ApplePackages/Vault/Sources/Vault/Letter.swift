import CryptoKit
import Foundation

/// A letter that only the owner of a key opens.
public struct Letter: Codable, Equatable {
  /// The sender's ephemeral key.
  public let sender: Data
  public let sealed: Data

  private static let salt = Data("letter".utf8)

  public init(_ text: String, for recipient: P256.KeyAgreement.PublicKey) throws {
    let ephemeral = P256.KeyAgreement.PrivateKey()
    let secret = try ephemeral.sharedSecretFromKeyAgreement(with: recipient)
    sender = ephemeral.publicKey.x963Representation
    let box = try ChaChaPoly.seal(
      Data(text.utf8), using: Self.key(secret), authenticating: sender)
    sealed = box.combined
  }

  public func open(by key: SecureEnclave.P256.KeyAgreement.PrivateKey) throws -> String {
    let secret = try key.sharedSecretFromKeyAgreement(
      with: P256.KeyAgreement.PublicKey(x963Representation: sender))
    let box = try ChaChaPoly.SealedBox(combined: sealed)
    let text = try ChaChaPoly.open(box, using: Self.key(secret), authenticating: sender)
    return String(decoding: text, as: UTF8.self)
  }

  private static func key(_ secret: SharedSecret) -> SymmetricKey {
    secret.hkdfDerivedSymmetricKey(
      using: CryptoKit.SHA256.self, salt: salt, sharedInfo: Data(), outputByteCount: 32)
  }
}
