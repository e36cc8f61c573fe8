// What a key is made from, beside its attributes.

public import CoreFoundationTypes

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
