// The values of what kind a key is of, and where it lives.

public import CoreFoundationTypes

// MARK: Halves (`kSecAttrKeyClass`)
/// The public half of a pair.
public var kSecAttrKeyClassPublic: CFString { constant("0") }
/// The private half of a pair.
public var kSecAttrKeyClassPrivate: CFString { constant("1") }
/// A key that both sides have.
public var kSecAttrKeyClassSymmetric: CFString { constant("2") }

// MARK: Kinds (`kSecAttrKeyType`)
/// RSA.
public var kSecAttrKeyTypeRSA: CFString { constant("42") }
/// Elliptic curves P-256, P-384 and P-521, by their older name.
public var kSecAttrKeyTypeEC: CFString { constant("73") }
/// Elliptic curves P-256, P-384 and P-521. The enclave's keys are on P-256.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { constant("73") }
/// P-256 in the public-key accelerator of Apple's enclave. Not made here.
public var kSecAttrKeyTypeECSECPrimeRandomPKA: CFString { constant("2147483678") }
/// Apple's keys that attest others. Not made here.
public var kSecAttrKeyTypeSecureEnclaveAttestation: CFString { constant("2147483679") }
/// Apple's keys that attest others without saying whose. Not made here.
public var kSecAttrKeyTypeSecureEnclaveAnonymousAttestation: CFString { constant("2147483680") }
/// Signatures on edwards25519. Not made here.
public var kSecAttrKeyTypeEd25519: CFString { constant("105") }
/// Agreement on curve25519. Not made here.
public var kSecAttrKeyTypeX25519: CFString { constant("106") }
/// Signatures on edwards448. Not made here.
public var kSecAttrKeyTypeEd448: CFString { constant("107") }
/// Agreement on curve448. Not made here.
public var kSecAttrKeyTypeX448: CFString { constant("108") }
/// ML-KEM as it was called before its standard. Not made here.
public var kSecAttrKeyTypeKyber: CFString { constant("109") }
/// Encapsulation on lattices (FIPS 203). Not made here.
public var kSecAttrKeyTypeMLKEM: CFString { constant("110") }
/// Signatures on lattices (FIPS 204). Not made here.
public var kSecAttrKeyTypeMLDSA: CFString { constant("111") }

// MARK: Sizes (`kSecAttrKeySizeInBits`) of kinds that are not made here
/// Kyber with 768 coefficients.
public var kSecAttrKeySizeKyber768: CFString { constant("768") }
/// Kyber with 1,024 coefficients.
public var kSecAttrKeySizeKyber1024: CFString { constant("1024") }
/// ML-KEM-768.
public var kSecAttrKeySizeMLKEM768: CFString { constant("768") }
/// ML-KEM-1024.
public var kSecAttrKeySizeMLKEM1024: CFString { constant("1024") }
/// ML-DSA-65.
public var kSecAttrKeySizeMLDSA65: CFString { constant("65") }
/// ML-DSA-87.
public var kSecAttrKeySizeMLDSA87: CFString { constant("87") }

// MARK: Places (`kSecAttrTokenID`)
/// The enclave: the private half is made there and never leaves it.
public var kSecAttrTokenIDSecureEnclave: CFString { constant("com.apple.setoken") }
/// The key store of Apple's kernel. There is none here.
public var kSecAttrTokenIDAppleKeyStore: CFString { constant("com.apple.setoken:aks") }
/// A secure element such as that of a payment chip. There is none here.
public var kSecAttrTokenIDSecureElement: CFString { constant("com.apple.secelemtoken") }

// What a key is made from, beside its attributes.

/// The key of attributes for the private half alone, a dictionary.
public var kSecPrivateKeyAttrs: CFString { constant("private") }
/// The key of attributes for the public half alone, a dictionary.
public var kSecPublicKeyAttrs: CFString { constant("public") }
/// The key of whether a key serves payments, a Boolean. Without effect here.
public var kSecKeyApplePayEnabled: CFString { constant("applepay") }
/// The key of whether a key belongs to one installed system, a Boolean. Without effect here.
public var kSecKeyOSBound: CFString { constant("osbound") }
/// The key of whether a key belongs to one measured start of the device, a Boolean. Without
/// effect here: where the root key lives in a TPM, everything does.
public var kSecKeySealedHashesBound: CFString { constant("sealedhashesbound") }
/// The key of a key of the enclave's as sealed bytes. Refused with `errSecNoSuchAttr`: none is
/// handed out so.
public var kSecAttrSecureEnclaveKeyBlob: CFString { constant("toid") }
