// What is given for an item, and what an item is given as.

public import CoreFoundationTypes

// MARK: What is wanted (all false unless the query says otherwise)
/// The key of whether the secret is wanted, a Boolean: `CFData`. A key of the enclave's has none:
/// `errSecDataNotAvailable` where nothing else is wanted.
public var kSecReturnData: CFString { constant("r_Data") }
/// The key of whether the attributes are wanted, a Boolean: a dictionary.
public var kSecReturnAttributes: CFString { constant("r_Attributes") }
/// The key of whether a reference is wanted, a Boolean: a `SecKey`, a `SecCertificate` or a
/// `SecIdentity`. Nothing stands for a password: `errSecDataNotAvailable` where nothing else is
/// wanted.
public var kSecReturnRef: CFString { constant("r_Ref") }
/// The key of whether a persistent reference is wanted, a Boolean: `CFData` that means the item
/// for as long as it is there, also in another run of the program.
public var kSecReturnPersistentRef: CFString { constant("r_PersistentRef") }

// MARK: What is given
/// The key of the secret, `CFData`. Of a certificate it is the DER.
public var kSecValueData: CFString { constant("v_Data") }
/// The key of a reference.
public var kSecValueRef: CFString { constant("v_Ref") }
/// The key of a persistent reference. In a query it may stand alone.
public var kSecValuePersistentRef: CFString { constant("v_PersistentRef") }
