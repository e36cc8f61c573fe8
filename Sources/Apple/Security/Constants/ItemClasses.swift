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
