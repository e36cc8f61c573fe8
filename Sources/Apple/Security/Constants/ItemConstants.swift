public import CoreFoundationTypes
import Protocol
import Synchronization

/// An immutable text, which any thread may use.
private struct Constant: @unchecked Sendable {
  let text: NSString
}

/// Every constant that was used. Each is always the same object, as if it were a symbol of a
/// library: code may compare identities, or keep one without retaining it.
private let constants = Mutex<[String: Constant]>([:])

func constant(_ text: String) -> CFString {
  constants.withLock { constants in
    if let known = constants[text] { return known }
    let made = Constant(text: text as NSString)
    constants[text] = made
    return made
  }.text
}

func constant(_ name: AttributeName) -> CFString { constant(name.appleName) }

// The kinds of item (`kSecClass` and its values).

/// The key of the class of an item. Every query and every new item needs one, unless a persistent
/// reference selects the item.
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

// MARK: What is wanted (all false unless the query says otherwise)
/// The key of whether the secret is wanted, a Boolean; it is `CFData`. An enclave key has none:
/// `errSecDataNotAvailable` if nothing else is wanted.
public var kSecReturnData: CFString { constant("r_Data") }
/// The key of whether the attributes are wanted, a Boolean: a dictionary.
public var kSecReturnAttributes: CFString { constant("r_Attributes") }
/// The key of whether a reference is wanted, a Boolean; it is a `SecKey`, a `SecCertificate` or a
/// `SecIdentity`. Passwords have none: `errSecDataNotAvailable` if nothing else is wanted.
public var kSecReturnRef: CFString { constant("r_Ref") }
/// The key of whether a persistent reference is wanted, a Boolean; it is `CFData` and stays valid
/// as long as the item exists, also in other runs of the program.
public var kSecReturnPersistentRef: CFString { constant("r_PersistentRef") }

// MARK: What is given
/// The key of the secret, `CFData`; for a certificate the DER.
public var kSecValueData: CFString { constant("v_Data") }
/// The key of a reference.
public var kSecValueRef: CFString { constant("v_Ref") }
/// The key of a persistent reference. In a query it may stand alone.
public var kSecValuePersistentRef: CFString { constant("v_PersistentRef") }

// The attributes of items of every class.

/// The key of when an item can be reached: one of the values `kSecAttrAccessible…`.
public var kSecAttrAccessible: CFString { constant("pdmn") }
/// The key of what has to be proved to open an item: a `SecAccessControl`. It replaces
/// `kSecAttrAccessible`.
public var kSecAttrAccessControl: CFString { constant("accc") }
/// The key of the access group of an item, a text. By default an item belongs to the application
/// itself. Programs that name the same group share its items; any name is possible that is not an
/// application's own.
///
/// A query without it selects the application's own items, items that others share with it, and
/// those of the groups that the application has named since it started or lists in its `Info.plist`
/// under `keychain-access-groups`.
public var kSecAttrAccessGroup: CFString { constant("agrp") }
/// The key of a list of trusted programs (`SecAccess`), of macOS's file-based keychains. Has no
/// effect: `kSecAttrAccessGroup` decides who owns an item.
public var kSecAttrAccess: CFString { constant("acls") }
/// The key of whether an item is meant to be on all devices of its owner, a Boolean or, in queries,
/// `kSecAttrSynchronizableAny`. It is part of the item's name; nothing is synchronized.
public var kSecAttrSynchronizable: CFString { constant("sync") }
/// In queries: synchronizable and other items. The default is only the latter.
public var kSecAttrSynchronizableAny: CFString { constant("syna") }
/// The key of when an item was added, a date. The keychain sets it.
public var kSecAttrCreationDate: CFString { constant("cdat") }
/// The key of when an item was last changed, a date. The keychain sets it.
public var kSecAttrModificationDate: CFString { constant("mdat") }
/// The key of an item's name for people, a text.
public var kSecAttrLabel: CFString { constant(.label) }
/// The misspelled key of an item's persistent reference among its attributes; see
/// `kSecAttrPersistentReference`.
public var kSecAttrPersistantReference: CFString { constant("persistref") }
/// The key of an item's persistent reference among its attributes. Here it is asked for by
/// `kSecReturnPersistentRef`, and given as `kSecValuePersistentRef`.
public var kSecAttrPersistentReference: CFString { constant("persistref") }
/// The access group of items on tokens such as smart cards. There are none here.
public var kSecAttrAccessGroupToken: CFString { constant("com.apple.token") }

// The attributes of certificates, beside those of every item. All except the label come from the
// certificate.

/// The key of the version of the certificate, a number: 1, 2 or 3.
public var kSecAttrCertificateType: CFString { constant(.certificateType) }
/// The key of the certificate's encoding, a number: 3 for DER.
public var kSecAttrCertificateEncoding: CFString { constant(.certificateEncoding) }
/// The key of the certificate's subject, bytes: the name in DER.
public var kSecAttrSubject: CFString { constant(.subject) }
/// The key of the certificate's issuer, bytes: the name in DER.
public var kSecAttrIssuer: CFString { constant(.issuer) }
/// The key of the certificate's serial number, bytes, most significant first.
public var kSecAttrSerialNumber: CFString { constant(.serialNumber) }
/// The key of the certificate's subject key identifier, bytes.
public var kSecAttrSubjectKeyID: CFString { constant(.subjectKeyID) }
/// The key of the SHA-1 of the certified public key, bytes; it is `kSecAttrApplicationLabel` of the
/// private key.
public var kSecAttrPublicKeyHash: CFString { constant(.publicKeyHash) }

// When an item can be reached: the values of `kSecAttrAccessible`.

/// While the device is unlocked. The default.
public var kSecAttrAccessibleWhenUnlocked: CFString { constant("ak") }
/// From the first unlock until the device restarts.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { constant("ck") }
/// While the device is unlocked; never on another device.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { constant("aku") }
/// From the first unlock until the device restarts; never on another device.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { constant("cku") }
/// While the device is unlocked, and as long as it has a passcode: the item is removed with the
/// passcode. Never on another device.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { constant("akpu") }
/// Always, in Apple's words. It reads back as given, but protects as
/// `kSecAttrAccessibleAfterFirstUnlock`: nothing is readable before the first unlock.
public var kSecAttrAccessibleAlways: CFString { constant("dk") }
/// Always, in Apple's words; never on another device. It reads back as given, but protects as
/// `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { constant("dku") }
/// The same as `kSecAttrAccessibleAlways`.
public var kSecAttrAccessibleAlwaysPrivate: CFString { constant("dk") }
/// The same as `kSecAttrAccessibleAlwaysThisDeviceOnly`.
public var kSecAttrAccessibleAlwaysThisDeviceOnlyPrivate: CFString { constant("dku") }
/// Until the device restarts. There is no such class here: `errSecParam`.
public var kSecAttrAccessibleUntilReboot: CFString { constant("f") }

// The attributes of generic and internet passwords, beside those of every item.

// MARK: Both classes
/// The key of the account, a text or bytes; it reads back as stored.
public var kSecAttrAccount: CFString { constant(.account) }
/// The key of a description for people, a text.
public var kSecAttrDescription: CFString { constant(.description) }
/// The key of a comment for people, a text.
public var kSecAttrComment: CFString { constant(.comment) }
/// The key of a number for the program that made the item.
public var kSecAttrCreator: CFString { constant(.creator) }
/// The key of a number for the kind of item.
public var kSecAttrType: CFString { constant(.type) }
/// The key of whether lists for people leave the item out, a Boolean.
public var kSecAttrIsInvisible: CFString { constant(.isInvisible) }
/// The key of whether the password is deliberately missing, so that the person is asked each time.
/// A Boolean.
public var kSecAttrIsNegative: CFString { constant(.isNegative) }

// MARK: Generic passwords
/// The key of the service, a text.
public var kSecAttrService: CFString { constant(.service) }
/// The key of bytes for the application's use.
public var kSecAttrGeneric: CFString { constant(.generic) }

// MARK: Internet passwords
/// The key of the security domain, a text.
public var kSecAttrSecurityDomain: CFString { constant(.securityDomain) }
/// The key of the server, a text: its name or address.
public var kSecAttrServer: CFString { constant(.server) }
/// The key of the protocol, one of the values `kSecAttrProtocol…`.
public var kSecAttrProtocol: CFString { constant(.protocol) }
/// The key of the kind of authentication, one of the values `kSecAttrAuthenticationType…`.
public var kSecAttrAuthenticationType: CFString { constant(.authenticationType) }
/// The key of the port, a number.
public var kSecAttrPort: CFString { constant(.port) }
/// The key of the path on the server, a text.
public var kSecAttrPath: CFString { constant(.path) }

// The values of `kSecAttrAuthenticationType`.

/// The server's choice.
public var kSecAttrAuthenticationTypeDefault: CFString { constant("dflt") }
/// The password itself (RFC 7617).
public var kSecAttrAuthenticationTypeHTTPBasic: CFString { constant("http") }
/// A hash of the password and the server's challenge (RFC 7616).
public var kSecAttrAuthenticationTypeHTTPDigest: CFString { constant("httd") }
/// A form of a web page.
public var kSecAttrAuthenticationTypeHTMLForm: CFString { constant("form") }
/// Challenge and response of Windows.
public var kSecAttrAuthenticationTypeNTLM: CFString { constant("ntlm") }
/// Microsoft's default.
public var kSecAttrAuthenticationTypeMSN: CFString { constant("msna") }
/// Distributed passwords.
public var kSecAttrAuthenticationTypeDPA: CFString { constant("dpaa") }
/// Remote passwords.
public var kSecAttrAuthenticationTypeRPA: CFString { constant("rpaa") }

// Passwords that an application shares with a web site.

/// The key of the password in the result of `SecRequestSharedWebCredential`.
public var kSecSharedPassword: CFString { constant("spwd") }
/// The key of how long a generated password may be.
public var kSecPasswordMaxLength: CFString { constant("PasswordMaxLength") }
/// The key of how long a generated password must be; Apple gives it the name of the longest.
public var kSecPasswordMinLength: CFString { constant("PasswordMaxLength") }
/// The key of which characters a generated password may have.
public var kSecPasswordAllowedCharacters: CFString { constant("PasswordAllowedCharacters") }
/// The key of which characters a generated password must have.
public var kSecPasswordRequiredCharacters: CFString { constant("PasswordRequiredCharacters") }
