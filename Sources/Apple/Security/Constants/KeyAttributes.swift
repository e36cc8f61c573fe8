// What keys are described by, beside what every item has.

public import CoreFoundationTypes
import Protocol

/// The key of which half of a pair it is, one of the values `kSecAttrKeyClass…`.
public var kSecAttrKeyClass: CFString { constant(.keyClass) }
/// The key of what programs find a key by, bytes: SHA-1 of the public half.
public var kSecAttrApplicationLabel: CFString { constant(.applicationLabel) }
/// The key of a tag of the application's own, bytes; keys may share it.
public var kSecAttrApplicationTag: CFString { constant(.applicationTag) }
/// The key of the kind of key, one of the values `kSecAttrKeyType…`.
public var kSecAttrKeyType: CFString { constant(.keyType) }
/// The key of the size of the key in bits, a number.
public var kSecAttrKeySizeInBits: CFString { constant(.keySizeInBits) }
/// The key of how many bits of the key count, a number.
public var kSecAttrEffectiveKeySize: CFString { constant(.effectiveKeySize) }
/// The key of a number that says which program made the key.
public var kSecAttrKeyCreator: CFString { constant(.creator) }
/// The key of where the private half lives; `kSecAttrTokenIDSecureEnclave`: in the enclave alone.
public var kSecAttrTokenID: CFString { constant(.tokenID) }
/// The key of what a token calls the key. Refused with `errSecNoSuchAttr`: keys of the enclave
/// are not handed out as sealed bytes.
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
/// The key of whether the key leaves its keychain sealed alone, a Boolean. Accepted, and not
/// kept.
public var kSecAttrIsSensitive: CFString { constant("sens") }
/// The key of whether that was so from the beginning, a Boolean. Accepted, and not kept.
public var kSecAttrWasAlwaysSensitive: CFString { constant("asen") }
/// The key of whether the key can be had out of its keychain, a Boolean; no key of the enclave
/// can. Accepted, and not kept.
public var kSecAttrIsExtractable: CFString { constant("extr") }
/// The key of whether it never could, a Boolean. Accepted, and not kept.
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
