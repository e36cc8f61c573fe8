// How a person proves to a server who it is: the values of `kSecAttrAuthenticationType`.

public import CoreFoundationTypes

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
