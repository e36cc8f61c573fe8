// How a request is made.

public import CoreFoundationTypes

// MARK: Asking the owner
/// The key of an `LAContext`: what was proved in it counts for this request, and what is proved
/// for this request counts in it.
public var kSecUseAuthenticationContext: CFString { constant("u_AuthCtx") }
/// The key of whether the owner may be asked: one of the values `kSecUseAuthenticationUI…`.
public var kSecUseAuthenticationUI: CFString { constant("u_AuthUI") }
/// The owner may be asked. The default.
public var kSecUseAuthenticationUIAllow: CFString { constant("u_AuthUIA") }
/// The owner is not asked: what wants a proof fails with `errSecInteractionNotAllowed`.
public var kSecUseAuthenticationUIFail: CFString { constant("u_AuthUIF") }
/// Only for `SecItemCopyMatching`: the owner is not asked, and items that want a proof are left
/// out.
public var kSecUseAuthenticationUISkip: CFString { constant("u_AuthUIS") }
/// The key of whether the owner must not be asked, a Boolean; an older way to say
/// `kSecUseAuthenticationUIFail`.
public var kSecUseNoAuthenticationUI: CFString { constant("u_NoAuthUI") }
/// The key of what the owner is told the request is for, a text.
public var kSecUseOperationPrompt: CFString { constant("u_OpPrompt") }
/// The key of on whose behalf the request is made, a text. Accepted and without effect: prompts
/// name the program that the kernel names.
public var kSecUseCallerName: CFString { constant("u_CallerName") }
/// The key of a credential that was given before. Refused with `errSecUnimplemented`:
/// `kSecUseAuthenticationContext` does this.
public var kSecUseCredentialReference: CFString { constant("u_CredRef") }

// MARK: Where items are
/// The key of whether the keychain of iOS is meant on macOS, a Boolean. Accepted and without
/// effect: there is one keychain here.
public var kSecUseDataProtectionKeychain: CFString { constant("nleg") }
/// The same as `kSecUseDataProtectionKeychain`, as it was called before.
public var kSecAttrNoLegacy: CFString { constant("nleg") }
/// The key of an array of items that are looked at alone; an older name of `kSecMatchItemList`.
public var kSecUseItemList: CFString { constant("u_ItemList") }
/// The key of whether the machine's keychain is meant. Refused with `errSecUnimplemented` where
/// it is true: applications have the keychain of their user.
public var kSecUseSystemKeychainAlways: CFString { constant("u_SystemKeychainAlways") }
/// The same as `kSecUseSystemKeychainAlways`.
public var kSecUseSystemKeychainAlwaysDarwinOSOnlyUnavailableOnMacOS: CFString {
  constant("u_SystemKeychainAlways")
}
/// The same as `kSecUseSystemKeychainAlways`.
public var kSecUseSystemKeychain: CFString { constant("u_SystemKeychain") }
/// The key of the keychain of another user of a shared iPad. Refused with `errSecUnimplemented`.
public var kSecUseSyncBubbleKeychain: CFString { constant("u_SyncBubbleKeychain") }
/// The key of a keychain that all users share. Refused with `errSecUnimplemented` where it is
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
