// What kinds of item there are (`kSecClass` and its values).

public import CoreFoundationTypes

/// The key of the class of an item. Every query and every new item names one, unless a persistent
/// reference says which item is meant.
public var kSecClass: CFString { constant("class") }
/// Passwords and other small secrets, told apart by service and account.
public var kSecClassGenericPassword: CFString { constant("genp") }
/// Passwords for servers, told apart by account, security domain, server, protocol, kind of
/// authentication, port and path.
public var kSecClassInternetPassword: CFString { constant("inet") }
/// Passwords for AppleShare volumes. There is no such class here: `errSecNoSuchClass`.
public var kSecClassAppleSharePassword: CFString { constant("apls") }
/// X.509 certificates, told apart by kind, issuer and serial number.
public var kSecClassCertificate: CFString { constant("cert") }
/// Keys: those of the enclave, which never leave it, and those that were made elsewhere.
public var kSecClassKey: CFString { constant("keys") }
/// Certificates together with the private keys they are for. An identity is stored by storing
/// both.
public var kSecClassIdentity: CFString { constant("idnt") }

// What is given for an item, and what an item is given as.

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
