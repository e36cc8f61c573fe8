import CoreFoundationTypes
import Protocol

/// What a key of a dictionary of SecItem means.
enum RequestKey {
  /// Attributes that share the name; which is meant, the class tells.
  case attribute([AttributeName])
  case itemClass
  case group
  case synchronizable
  case accessible
  case accessControl
  case creationDate
  case modificationDate
  case limit
  case result(ItemRequest.Results)
  case data
  case reference
  case persistentReference
  case authenticationContext
  case authenticationUI
  case noAuthenticationUI
  case reason
  case filter(ItemFilter.Key)
  /// Accepted, and nothing comes of it.
  case withoutEffect
  /// Of keys alone: accepted, and not kept.
  case ofKeysWithoutEffect
  /// Nothing here does this.
  case unimplemented
  /// Nothing here does this; what says no to it is accepted.
  case unimplementedIfTrue

  /// The meaning of a key; nil where it has none.
  static func meaning(of key: String) -> RequestKey? { meanings[key] }

  private static let meanings: [String: RequestKey] = {
    var meanings: [String: RequestKey] = [:]
    for name in AttributeName.allCases where name.isForPeople {
      var names: [AttributeName] = []
      if case .attribute(let known)? = meanings[name.appleName] { names = known }
      meanings[name.appleName] = .attribute(names + [name])
    }
    for (key, meaning) in others { meanings[key as String] = meaning }
    for key in ignored { meanings[key as String] = .withoutEffect }
    for key in ignoredOfKeys { meanings[key as String] = .ofKeysWithoutEffect }
    for key in notDone { meanings[key as String] = .unimplemented }
    for key in notDoneIfTrue { meanings[key as String] = .unimplementedIfTrue }
    return meanings
  }()

  private static var others: [(CFString, RequestKey)] {
    [
      (kSecClass, .itemClass), (kSecAttrAccessGroup, .group),
      (kSecAttrSynchronizable, .synchronizable), (kSecAttrAccessible, .accessible),
      (kSecAttrAccessControl, .accessControl), (kSecAttrCreationDate, .creationDate),
      (kSecAttrModificationDate, .modificationDate), (kSecMatchLimit, .limit),
      (kSecReturnData, .result(.data)), (kSecReturnAttributes, .result(.attributes)),
      (kSecReturnRef, .result(.reference)),
      (kSecReturnPersistentRef, .result(.persistentReference)), (kSecValueData, .data),
      (kSecValueRef, .reference), (kSecValuePersistentRef, .persistentReference),
      (kSecAttrPersistentReference, .persistentReference),
      (kSecUseAuthenticationContext, .authenticationContext),
      (kSecUseAuthenticationUI, .authenticationUI),
      (kSecUseNoAuthenticationUI, .noAuthenticationUI), (kSecUseOperationPrompt, .reason),
      (kSecMatchItemList, .filter(.items)), (kSecUseItemList, .filter(.items)),
      (kSecMatchCaseInsensitive, .filter(.caseInsensitive)),
      (kSecMatchSubjectContains, .filter(.subjectContains)),
      (kSecMatchHostOrSubdomainOfHost, .filter(.host)), (kSecMatchIssuers, .filter(.issuers)),
      (kSecMatchValidOnDate, .filter(.validOn)),
    ]
  }

  private static var ignored: [CFString] {
    [
      kSecAttrAccess, kSecMatchSearchList, kSecUseDataProtectionKeychain, kSecUseCallerName,
      kSecUseTombstones, kSecUseTokenRawItems, kSecUseCertificatesWithMatchIssuers,
    ]
  }

  private static var ignoredOfKeys: [CFString] {
    [
      kSecAttrIsPrivate, kSecAttrIsModifiable, kSecAttrIsSensitive, kSecAttrWasAlwaysSensitive,
      kSecAttrIsExtractable, kSecAttrWasNeverExtractable, kSecAttrCanSignRecover,
      kSecAttrCanVerifyRecover, kSecKeyApplePayEnabled, kSecKeyOSBound, kSecKeySealedHashesBound,
    ]
  }

  private static var notDone: [CFString] {
    [
      kSecMatchPolicy, kSecMatchEmailAddressIfPresent, kSecUseCredentialReference,
      kSecUseSyncBubbleKeychain,
    ]
  }

  private static var notDoneIfTrue: [CFString] {
    [
      kSecMatchTrustedOnly, kSecUseSystemKeychain, kSecUseSystemKeychainAlways,
      kSecUseUserIndependentKeychain,
    ]
  }
}
