public import CoreFoundationTypes

// The conditions of a query beside equal attributes, and the number of results.

/// The key of the most results: `kSecMatchLimitOne`, `kSecMatchLimitAll` or a positive number. By
/// default `SecItemCopyMatching` gives one; updates and deletions concern all matches.
public var kSecMatchLimit: CFString { constant("m_Limit") }
/// One result, not in an array.
public var kSecMatchLimitOne: CFString { constant("m_LimitOne") }
/// All results, in an array.
public var kSecMatchLimitAll: CFString { constant("m_LimitAll") }
/// The key of an array of the only items to search: references or persistent references.
public var kSecMatchItemList: CFString { constant("m_ItemList") }
/// The key of an array of keychains to search. There is one here; has no effect.
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
/// here if it is true: `SecTrust` judges certificates.
public var kSecMatchTrustedOnly: CFString { constant("m_TrustedOnly") }
/// The key of a date on which certificates must be valid; `NSNull` means the moment of asking.
public var kSecMatchValidOnDate: CFString { constant("m_ValidOnDate") }

// How a request is made.

// MARK: Asking the owner
/// The key of an `LAContext`, whose evidence counts for this request and which keeps new evidence.
public var kSecUseAuthenticationContext: CFString { constant("u_AuthCtx") }
/// The key of whether the owner may be asked: one of the values `kSecUseAuthenticationUI…`.
public var kSecUseAuthenticationUI: CFString { constant("u_AuthUI") }
/// The owner may be asked. The default.
public var kSecUseAuthenticationUIAllow: CFString { constant("u_AuthUIA") }
/// The owner is not asked: requests that need a proof fail with `errSecInteractionNotAllowed`.
public var kSecUseAuthenticationUIFail: CFString { constant("u_AuthUIF") }
/// Only for `SecItemCopyMatching`: the owner is not asked, and items that need a proof are left
/// out.
public var kSecUseAuthenticationUISkip: CFString { constant("u_AuthUIS") }
/// The key of whether the owner must not be asked, a Boolean; an older way to say
/// `kSecUseAuthenticationUIFail`.
public var kSecUseNoAuthenticationUI: CFString { constant("u_NoAuthUI") }
/// The key of what the owner is told the request is for, a text.
public var kSecUseOperationPrompt: CFString { constant("u_OpPrompt") }
/// The key of the caller's name, a text. Has no effect: prompts show the name from the kernel.
public var kSecUseCallerName: CFString { constant("u_CallerName") }
/// The key of an earlier credential. Refused with `errSecUnimplemented`: use
/// `kSecUseAuthenticationContext`.
public var kSecUseCredentialReference: CFString { constant("u_CredRef") }

// MARK: Where items are
/// The key of whether macOS uses the keychain of iOS, a Boolean. Has no effect: there is one
/// keychain here.
public var kSecUseDataProtectionKeychain: CFString { constant("nleg") }
/// The earlier name of `kSecUseDataProtectionKeychain`.
public var kSecAttrNoLegacy: CFString { constant("nleg") }
/// An older name of `kSecMatchItemList`.
public var kSecUseItemList: CFString { constant("u_ItemList") }
/// The key of whether the machine's keychain is used. Refused with `errSecUnimplemented` if true:
/// applications use the keychain of their user.
public var kSecUseSystemKeychainAlways: CFString { constant("u_SystemKeychainAlways") }
/// The same as `kSecUseSystemKeychainAlways`.
public var kSecUseSystemKeychainAlwaysDarwinOSOnlyUnavailableOnMacOS: CFString {
  constant("u_SystemKeychainAlways")
}
/// The same as `kSecUseSystemKeychainAlways`.
public var kSecUseSystemKeychain: CFString { constant("u_SystemKeychain") }
/// The key of the keychain of another user of a shared iPad. Refused with `errSecUnimplemented`.
public var kSecUseSyncBubbleKeychain: CFString { constant("u_SyncBubbleKeychain") }
/// The key of a keychain that all users share. Refused with `errSecUnimplemented` if it is
/// true.
public var kSecUseUserIndependentKeychain: CFString { constant("u_UserIndependentKeychain") }

// MARK: What else Apple's own programs say
/// The key of whether a removed item leaves a mark for synchronization. Without effect: nothing
/// is synchronized.
public var kSecUseTombstones: CFString { constant("u_Tomb") }
/// The key of whether items of tokens are given as they are. Without effect: there are no tokens.
public var kSecUseTokenRawItems: CFString { constant("u_TokenRawItems") }
/// The key of whether certificates are looked at beside identities when issuers are asked for.
/// Without effect.
public var kSecUseCertificatesWithMatchIssuers: CFString { constant("u_CertWithIssuers") }

// The values of `kSecAttrProtocol`. Those with an S at the end are over TLS, those with Proxy proxies.

public var kSecAttrProtocolFTP: CFString { constant("ftp ") }
public var kSecAttrProtocolFTPAccount: CFString { constant("ftpa") }
public var kSecAttrProtocolFTPProxy: CFString { constant("ftpx") }
public var kSecAttrProtocolFTPS: CFString { constant("ftps") }
public var kSecAttrProtocolHTTP: CFString { constant("http") }
public var kSecAttrProtocolHTTPProxy: CFString { constant("htpx") }
public var kSecAttrProtocolHTTPS: CFString { constant("htps") }
public var kSecAttrProtocolHTTPSProxy: CFString { constant("htsx") }
public var kSecAttrProtocolIMAP: CFString { constant("imap") }
public var kSecAttrProtocolIMAPS: CFString { constant("imps") }
public var kSecAttrProtocolPOP3: CFString { constant("pop3") }
public var kSecAttrProtocolPOP3S: CFString { constant("pops") }
public var kSecAttrProtocolSMTP: CFString { constant("smtp") }
public var kSecAttrProtocolIRC: CFString { constant("irc ") }
public var kSecAttrProtocolIRCS: CFString { constant("ircs") }
public var kSecAttrProtocolLDAP: CFString { constant("ldap") }
public var kSecAttrProtocolLDAPS: CFString { constant("ldps") }
public var kSecAttrProtocolNNTP: CFString { constant("nntp") }
public var kSecAttrProtocolNNTPS: CFString { constant("ntps") }
public var kSecAttrProtocolRTSP: CFString { constant("rtsp") }
public var kSecAttrProtocolRTSPProxy: CFString { constant("rtsx") }
public var kSecAttrProtocolDAAP: CFString { constant("daap") }
public var kSecAttrProtocolAFP: CFString { constant("afp ") }
public var kSecAttrProtocolAppleTalk: CFString { constant("atlk") }
public var kSecAttrProtocolSMB: CFString { constant("smb ") }
public var kSecAttrProtocolEPPC: CFString { constant("eppc") }
public var kSecAttrProtocolIPP: CFString { constant("ipp ") }
public var kSecAttrProtocolSOCKS: CFString { constant("sox ") }
public var kSecAttrProtocolSSH: CFString { constant("ssh ") }
public var kSecAttrProtocolTelnet: CFString { constant("teln") }
public var kSecAttrProtocolTelnetS: CFString { constant("tels") }
