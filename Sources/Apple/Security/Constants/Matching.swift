// What a query wants beside attributes that are equal, and how many.

public import CoreFoundationTypes

/// The key of how many results are wanted at most: `kSecMatchLimitOne`, `kSecMatchLimitAll` or a
/// positive number. Without it `SecItemCopyMatching` gives one; updates and deletions concern all
/// that match.
public var kSecMatchLimit: CFString { constant("m_Limit") }
/// One result, which is not in an array.
public var kSecMatchLimitOne: CFString { constant("m_LimitOne") }
/// All results, in an array.
public var kSecMatchLimitAll: CFString { constant("m_LimitAll") }
/// The key of an array of items that are looked at alone: references, or persistent references.
public var kSecMatchItemList: CFString { constant("m_ItemList") }
/// The key of an array of keychains to look in. There is one here; accepted and without effect.
public var kSecMatchSearchList: CFString { constant("m_SearchList") }
/// The key of a policy that certificates must satisfy (`SecPolicy`). Refused with
/// `errSecUnimplemented` here: `SecTrust` judges certificates.
public var kSecMatchPolicy: CFString { constant("m_Policy") }
/// The key of an array of names in DER, one of which must be the issuer of a certificate or of
/// one above it in the keychain.
public var kSecMatchIssuers: CFString { constant("m_Issuers") }
/// The key of an address of mail that certificates with addresses must hold. Refused with
/// `errSecUnimplemented` here.
public var kSecMatchEmailAddressIfPresent: CFString { constant("m_EmailAddressIfPresent") }
/// The key of a text that the subject of a certificate must contain.
public var kSecMatchSubjectContains: CFString { constant("m_SubjectContains") }
/// The key of a host: it, or what lies below it, must be the server of an internet password.
public var kSecMatchHostOrSubdomainOfHost: CFString { constant("m_HostOrSubdomainOfHost") }
/// The key of whether capital and small letters are the same in texts of the query, a Boolean.
public var kSecMatchCaseInsensitive: CFString { constant("m_CaseInsensitive") }
/// The key of whether certificates must be trusted, a Boolean. Refused with `errSecUnimplemented`
/// here where it is true: `SecTrust` judges certificates.
public var kSecMatchTrustedOnly: CFString { constant("m_TrustedOnly") }
/// The key of a date on which certificates must be valid; `NSNull` means the moment of asking.
public var kSecMatchValidOnDate: CFString { constant("m_ValidOnDate") }
