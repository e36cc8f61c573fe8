import CryptoKit
import Foundation
import LocalAuthentication

/// Signs for the owner, by a key of the enclave if there is one.
public struct Notary {
  private enum Key {
    case enclave(SecureEnclave.P256.Signing.PrivateKey)
    case software(P256.Signing.PrivateKey)
  }

  private let key: Key

  /// Makes a key whose uses demand a finger, in a context.
  public init(askingIn context: LAContext) throws {
    guard SecureEnclave.isAvailable else {
      key = .software(P256.Signing.PrivateKey(compactRepresentable: false))
      return
    }
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        [.privateKeyUsage, .biometryCurrentSet], &error)
    else { throw error!.takeRetainedValue() as Error }
    key = .enclave(
      try SecureEnclave.P256.Signing.PrivateKey(
        accessControl: access, authenticationContext: context))
  }

  public var isInEnclave: Bool {
    if case .enclave = key { return true }
    return false
  }

  public var publicKey: P256.Signing.PublicKey {
    switch key {
    case .enclave(let key): return key.publicKey
    case .software(let key): return key.publicKey
    }
  }

  public func sign(_ message: String) throws -> P256.Signing.ECDSASignature {
    let data = Data(message.utf8)
    switch key {
    case .enclave(let key): return try key.signature(for: data)
    case .software(let key): return try key.signature(for: data)
    }
  }
}
