@_exported public import Crypto
public import LocalAuthentication

// Source compatible with Apple's framework of this name: the enclave's keys are ours, the rest is
// swift-crypto's.

/// Keys of the enclave, whose private half never leaves it.
public enum SecureEnclave {
  /// Whether keys can be made: the core can be reached. Waits for it.
  public static var isAvailable: Bool { RepresentedKey.canBeMade }

  /// Keys on the curve P-256. Any thread; uses block while the owner is asked.
  ///
  /// Errors are those of `SecKeyCreateSignature`: an `LAError` of asking the owner, else an
  /// `OSStatus` of `NSOSStatusErrorDomain`. A data representation names its key, which stays in the
  /// enclave. A key whose representation is never read is removed with the last copy of its value.
  public enum P256 {
    /// Keys that sign.
    public enum Signing {
      /// A key that signs by ECDSA.
      public struct PrivateKey: Sendable {
        private let key: RepresentedKey
        /// The public half.
        public let publicKey: Crypto.P256.Signing.PublicKey

        private init(_ key: RepresentedKey) throws {
          self.key = key
          publicKey = try Crypto.P256.Signing.PublicKey(x963Representation: key.publicKey)
        }

        /// Makes a key; never prompts.
        /// - Parameters:
        ///   - compactRepresentable: whether the public half must have a compact form.
        ///   - accessControl: when the key can be used, and what the owner has to prove; nil: while
        ///     the device is unlocked, without a proof.
        ///   - authenticationContext: the context of all uses; nil: each use stands alone.
        /// - Throws: `LAError.passcodeNotSet` or `biometryNotEnrolled` if the key could never be used;
        ///   `errSecInteractionNotAllowed` while the device is locked.
        public init(
          compactRepresentable: Bool = true, accessControl: SecAccessControl? = nil,
          authenticationContext: LAContext? = nil
        ) throws {
          try self.init(
            .made(compactRepresentable, guardedBy: accessControl, in: authenticationContext))
        }

        /// Finds the key of a ``dataRepresentation``; never prompts.
        /// - Throws: `CryptoKitError.incorrectParameterSize` for bytes of another length;
        ///   `unwrapFailure` if they are damaged, or if the key was removed or belongs to another
        ///   program or device.
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
          try self.init(.found(dataRepresentation, in: authenticationContext))
        }

        /// Bytes that name the key in later runs of the same program: no secret. Reading them keeps
        /// the key for good.
        public var dataRepresentation: Data { key.representation }

        /// Signs data, hashed by SHA-256. Asks for what the access control demands.
        public func signature<D: DataProtocol>(
          for data: D
        ) throws -> Crypto.P256.Signing.ECDSASignature {
          try signature(for: SHA256.hash(data: data))
        }

        /// Signs a digest. Asks for what the access control demands.
        public func signature<D: Digest>(
          for digest: D
        ) throws -> Crypto.P256.Signing.ECDSASignature {
          try Crypto.P256.Signing.ECDSASignature(rawRepresentation: key.sign(Array(digest)))
        }
      }
    }

    /// Keys that agree on secrets.
    public enum KeyAgreement {
      /// A key that agrees on secrets by ECDH.
      public struct PrivateKey: HPKEDiffieHellmanPrivateKey, Sendable {
        private let key: RepresentedKey
        /// The public half.
        public let publicKey: Crypto.P256.KeyAgreement.PublicKey

        private init(_ key: RepresentedKey) throws {
          self.key = key
          publicKey = try Crypto.P256.KeyAgreement.PublicKey(x963Representation: key.publicKey)
        }

        /// Makes a key; never prompts. Parameters and errors are those of ``Signing/PrivateKey``.
        public init(
          compactRepresentable: Bool = true, accessControl: SecAccessControl? = nil,
          authenticationContext: LAContext? = nil
        ) throws {
          try self.init(
            .made(compactRepresentable, guardedBy: accessControl, in: authenticationContext))
        }

        /// Finds the key of a ``dataRepresentation``; never prompts. Errors are those of
        /// ``Signing/PrivateKey``.
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
          try self.init(.found(dataRepresentation, in: authenticationContext))
        }

        /// Bytes that name the key in later runs of the same program: no secret. Reading them keeps
        /// the key for good.
        public var dataRepresentation: Data { key.representation }

        /// Agrees on a secret. Asks for what the access control demands.
        public func sharedSecretFromKeyAgreement(
          with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
        ) throws -> SharedSecret {
          // SharedSecret has no public initializer. The scalar 1 agrees with a point on that
          // point's own x coordinate, which both points that have it share.
          let one = try Crypto.P256.KeyAgreement.PrivateKey(
            rawRepresentation: [UInt8](repeating: 0, count: 31) + [1])
          return try unsafe key.withSharedPoint(of: Array(publicKeyShare.x963Representation)) {
            try unsafe one.sharedSecretFromKeyAgreement(
              with: Crypto.P256.KeyAgreement.PublicKey(compressedRepresentation: $0))
          }
        }
      }
    }
  }
}

extension RepresentedKey {
  /// A new key; every second point of the curve has a compact form.
  fileprivate static func made(
    _ isCompact: Bool, guardedBy accessControl: SecAccessControl?, in context: LAContext?
  ) throws -> RepresentedKey {
    for _ in 0..<128 {
      let key = try RepresentedKey(guardedBy: accessControl, in: context)
      let point = try Crypto.P256.KeyAgreement.PublicKey(x963Representation: key.publicKey)
      if !isCompact || point.compactRepresentation != nil { return key }
    }
    throw CryptoKitError.underlyingCoreCryptoError(error: errSecInternalComponent)
  }

  /// The key of a data representation.
  fileprivate static func found(
    _ representation: Data, in context: LAContext?
  ) throws -> RepresentedKey {
    guard representation.count == representationSize else {
      throw CryptoKitError.incorrectParameterSize
    }
    guard let key = try RepresentedKey(representation, in: context) else {
      throw CryptoKitError.unwrapFailure
    }
    return key
  }
}
