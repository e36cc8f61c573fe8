public import CoreFoundationTypes
import Protocol

// The attributes of keys, beside those of every item.

/// The key of which half of a pair it is, one of the values `kSecAttrKeyClass…`.
public var kSecAttrKeyClass: CFString { constant(.keyClass) }
/// The key of the SHA-1 of the public half, bytes, by which programs find a key.
public var kSecAttrApplicationLabel: CFString { constant(.applicationLabel) }
/// The key of the application's own tag, bytes; keys may share it.
public var kSecAttrApplicationTag: CFString { constant(.applicationTag) }
/// The key of the kind of key, one of the values `kSecAttrKeyType…`.
public var kSecAttrKeyType: CFString { constant(.keyType) }
/// The key of the size of the key in bits, a number.
public var kSecAttrKeySizeInBits: CFString { constant(.keySizeInBits) }
/// The key of the effective size in bits, a number.
public var kSecAttrEffectiveKeySize: CFString { constant(.effectiveKeySize) }
/// The key of a number for the program that made the key.
public var kSecAttrKeyCreator: CFString { constant(.creator) }
/// The key of where the private half is; `kSecAttrTokenIDSecureEnclave` for the enclave.
public var kSecAttrTokenID: CFString { constant(.tokenID) }
/// The key of a token's name for the key. Refused with `errSecNoSuchAttr`: enclave keys are not
/// exported as sealed bytes.
public var kSecAttrTokenOID: CFString { constant("toid") }
/// The key of the moment from which on the key may be used, a date.
public var kSecAttrStartDate: CFString { constant(.startDate) }
/// The key of the moment until which the key may be used, a date.
public var kSecAttrEndDate: CFString { constant(.endDate) }

// MARK: What a key is
/// The key of whether the key is to be stored, a Boolean.
public var kSecAttrIsPermanent: CFString { constant(.isPermanent) }
/// The key of whether the key is the private half, a Boolean. `kSecAttrKeyClass` tells. Accepted,
/// and not kept.
public var kSecAttrIsPrivate: CFString { constant("priv") }
/// The key of whether the attributes may change, a Boolean. Accepted, and not kept.
public var kSecAttrIsModifiable: CFString { constant("modi") }
/// The key of whether the key leaves its keychain only sealed, a Boolean. Accepted, and not kept.
public var kSecAttrIsSensitive: CFString { constant("sens") }
/// The key of whether that was always so, a Boolean. Accepted, and not kept.
public var kSecAttrWasAlwaysSensitive: CFString { constant("asen") }
/// The key of whether the key can be exported, a Boolean; no enclave key can. Accepted, and not
/// kept.
public var kSecAttrIsExtractable: CFString { constant("extr") }
/// The key of whether it never could be exported, a Boolean. Accepted, and not kept.
public var kSecAttrWasNeverExtractable: CFString { constant("next") }

// MARK: What a key is for
/// The key of whether the key encrypts, a Boolean.
public var kSecAttrCanEncrypt: CFString { constant(.canEncrypt) }
/// The key of whether the key decrypts, a Boolean.
public var kSecAttrCanDecrypt: CFString { constant(.canDecrypt) }
/// The key of whether other keys are derived from the key, a Boolean.
public var kSecAttrCanDerive: CFString { constant(.canDerive) }
/// The key of whether the key signs, a Boolean.
public var kSecAttrCanSign: CFString { constant(.canSign) }
/// The key of whether the key verifies signatures, a Boolean.
public var kSecAttrCanVerify: CFString { constant(.canVerify) }
/// The key of whether the key makes signatures that hold what they sign, a Boolean. Accepted, and
/// not kept.
public var kSecAttrCanSignRecover: CFString { constant("snrc") }
/// The key of whether the key verifies such signatures, a Boolean. Accepted, and not kept.
public var kSecAttrCanVerifyRecover: CFString { constant("vyrc") }
/// The key of whether the key wraps other keys, a Boolean.
public var kSecAttrCanWrap: CFString { constant(.canWrap) }
/// The key of whether the key unwraps other keys, a Boolean.
public var kSecAttrCanUnwrap: CFString { constant(.canUnwrap) }

// The values for the kind of a key and its place.

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

// Parameters for making a key, beside its attributes.

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
/// The key of an enclave key as sealed bytes. Refused with `errSecNoSuchAttr`: they are not
/// exported.
public var kSecAttrSecureEnclaveKeyBlob: CFString { constant("toid") }

// Attributes that Apple's own programs use. They exist for code that names them; a query or an item
// with one is refused with `errSecNoSuchAttr`.

/// The key of an AppleShare volume.
public var kSecAttrVolume: CFString { constant("volm") }
/// The key of an AppleShare server's address.
public var kSecAttrAddress: CFString { constant("addr") }
/// The key of an AppleShare server's signature.
public var kSecAttrAFPServerSignature: CFString { constant("afps") }
/// The key of another name of a certificate.
public var kSecAttrAlias: CFString { constant("alis") }
/// The key of which part of a synchronized keychain an item belongs to.
public var kSecAttrSyncViewHint: CFString { constant("vwht") }
/// The key of which script the texts are written in.
public var kSecAttrScriptCode: CFString { constant("scrp") }
/// The key of whether an item has a picture of its own.
public var kSecAttrHasCustomIcon: CFString { constant("cusi") }
/// The key of the kind of a revocation list.
public var kSecAttrCRLType: CFString { constant("crlt") }
/// The key of how a revocation list is written down.
public var kSecAttrCRLEncoding: CFString { constant("crle") }
/// The key of whether an item is the mark of a removed one.
public var kSecAttrTombstone: CFString { constant("tomb") }
/// The key of which user of a shared device an item belongs to.
public var kSecAttrMultiUser: CFString { constant("musr") }
/// The key of an item's number in a synchronized keychain.
public var kSecAttrUUID: CFString { constant("UUID") }
/// The key of which installed system an item belongs to.
public var kSecAttrSysBound: CFString { constant("sysb") }
/// The key of the hash of an item.
public var kSecAttrSHA1: CFString { constant("sha1") }
/// The key of whether an item's number comes from its attributes.
public var kSecAttrDeriveSyncIDFromItemAttributes: CFString { constant("dspk") }
/// The key of a service of protected cloud storage.
public var kSecAttrPCSPlaintextServiceIdentifier: CFString { constant("pcss") }
/// The key of a public key of protected cloud storage.
public var kSecAttrPCSPlaintextPublicKey: CFString { constant("pcsk") }
/// The key of an identity of protected cloud storage.
public var kSecAttrPCSPlaintextPublicIdentity: CFString { constant("pcsi") }
/// The key of notes beside an internet password.
public var kSecDataInetExtraNotes: CFString { constant("binn") }
/// The key of earlier internet passwords.
public var kSecDataInetExtraHistory: CFString { constant("bini") }
/// The key of the first piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined0: CFString { constant("bin0") }
/// The key of the second piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined1: CFString { constant("bin1") }
/// The key of the third piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined2: CFString { constant("bin2") }
/// The key of the fourth piece of bytes beside an internet password.
public var kSecDataInetExtraClientDefined3: CFString { constant("bin3") }
/// The key of the group of people an item is shared with.
public var kSecAttrSharingGroup: CFString { constant("ggrp") }
/// No group of people.
public var kSecAttrSharingGroupNone: CFString { constant("") }
