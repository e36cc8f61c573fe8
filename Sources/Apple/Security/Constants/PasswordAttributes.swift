// What generic and internet passwords are described by, beside what every item has.

public import CoreFoundationTypes
import Protocol

// MARK: Both classes
/// The key of the account, a text or bytes; what was put in comes out.
public var kSecAttrAccount: CFString { constant(.account) }
/// The key of a description for people, a text.
public var kSecAttrDescription: CFString { constant(.description) }
/// The key of a comment for people, a text.
public var kSecAttrComment: CFString { constant(.comment) }
/// The key of a number that says which program made the item.
public var kSecAttrCreator: CFString { constant(.creator) }
/// The key of a number that says of which kind the item is.
public var kSecAttrType: CFString { constant(.type) }
/// The key of whether lists for people leave the item out, a Boolean.
public var kSecAttrIsInvisible: CFString { constant(.isInvisible) }
/// The key of whether there is no password on purpose: the person is to be asked each time. A
/// Boolean.
public var kSecAttrIsNegative: CFString { constant(.isNegative) }

// MARK: Generic passwords
/// The key of the service, a text.
public var kSecAttrService: CFString { constant(.service) }
/// The key of whatever an application likes, bytes.
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

// How a person proves to a server who it is: the values of `kSecAttrAuthenticationType`.

/// Whichever the server likes.
public var kSecAttrAuthenticationTypeDefault: CFString { constant("dflt") }
/// The password itself (RFC 7617).
public var kSecAttrAuthenticationTypeHTTPBasic: CFString { constant("http") }
/// A hash of the password and what the server asks (RFC 7616).
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

/// The key of the password in what `SecRequestSharedWebCredential` gives.
public var kSecSharedPassword: CFString { constant("spwd") }
/// The key of how long a generated password may be.
public var kSecPasswordMaxLength: CFString { constant("PasswordMaxLength") }
/// The key of how long a generated password must be; Apple gives it the name of the longest.
public var kSecPasswordMinLength: CFString { constant("PasswordMaxLength") }
/// The key of which characters a generated password may have.
public var kSecPasswordAllowedCharacters: CFString { constant("PasswordAllowedCharacters") }
/// The key of which characters a generated password must have.
public var kSecPasswordRequiredCharacters: CFString { constant("PasswordRequiredCharacters") }
