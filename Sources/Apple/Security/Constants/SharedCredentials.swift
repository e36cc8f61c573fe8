// Passwords that an application shares with a web site.

public import CoreFoundationTypes

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
