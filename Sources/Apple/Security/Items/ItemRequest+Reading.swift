import CoreFoundationTypes
import Protocol

extension ItemRequest {
  /// Reads a dictionary; `kind` is the kind of item if it states none.
  /// - Throws: `errSecParam` for values of the wrong type and for contradictions,
  ///   `errSecNoSuchAttr` for keys without a meaning, `errSecNoSuchClass`, `errSecDataTooLarge`,
  ///   `errSecUnimplemented`.
  init(_ dictionary: CFDictionary, of kind: Kind? = nil) throws(RequestProblem) {
    self.kind = kind
    // Two attributes can share a name; the class decides which is meant.
    if let itemClass = dictionary.object(forKey: kSecClass) { try read(itemClass: itemClass) }
    for (key, value) in dictionary {
      guard let key = key as? String else { throw .wrongValue }
      guard let meaning = RequestKey.meaning(of: key) else { throw .unknownAttribute }
      try read(meaning, value)
    }
    if let accessControl, let protection {
      guard accessControl.accessControl == nil, accessControl.protection == protection else {
        throw .wrongValue
      }
    }
    try filter.finish(&terms, self.kind)
  }

  private mutating func read(_ key: RequestKey, _ value: Any) throws(RequestProblem) {
    switch key {
    case .itemClass, .withoutEffect: break
    case .ofKeysWithoutEffect:
      guard kind == .item(.key) || kind == .identity else { throw .unknownAttribute }
    case .unimplemented: throw .unimplemented
    case .unimplementedIfTrue:
      if try AttributeName.flag(value) { throw .unimplemented }
    case .attribute(let names): try read(names, value)
    case .group:
      guard let group = value as? String else { throw .wrongValue }
      guard group.utf8.count <= ItemAttributes.longestGroup else { throw .tooLarge }
      self.group = group.isEmpty ? nil : group
    case .synchronizable:
      let isEither = (value as? String) == (kSecAttrSynchronizableAny as String)
      synchronizability = isEither ? .either : .exactly(try AttributeName.flag(value))
    case .accessible:
      guard let text = value as? String, let known = AccessibilityValue(text) else {
        throw .wrongValue
      }
      protection = known
    case .accessControl:
      guard let control = value as? SecAccessControl else { throw .wrongValue }
      accessControl = control
    case .creationDate: filter.createdAt = try AttributeName.seconds(value)
    case .modificationDate: filter.modifiedAt = try AttributeName.seconds(value)
    case .limit: limit = try Limit(value)
    case .result(let result):
      if try AttributeName.flag(value) { results.insert(result) }
    case .data:
      guard let data = value as? Data else { throw .wrongValue }
      secret = data as NSData
    case .reference:
      guard let object = value as? any ItemReference else { throw .wrongValue }
      reference = object
    case .persistentReference:
      guard let data = value as? Data else { throw .wrongValue }
      guard let reference = PersistentReference(data) else { throw .wrongReference }
      persistentReference = reference
    case .authenticationContext:
      guard let context = value as? any _AuthenticationContext else { throw .wrongValue }
      authentication = context._authentication
    case .authenticationUI: try read(interaction: value)
    case .noAuthenticationUI:
      if try AttributeName.flag(value) { interaction = .forbidden }
    case .reason:
      guard let text = value as? String else { throw .wrongValue }
      reason = text.isEmpty ? nil : text
    case .filter(let key): try filter.read(key, value)
    }
  }

  private mutating func read(itemClass value: Any) throws(RequestProblem) {
    guard let text = value as? String else { throw .wrongValue }
    guard let named = Kind(name: text) else { throw .unknownClass }
    kind = named
  }

  private mutating func read(_ names: [AttributeName], _ value: Any) throws(RequestProblem) {
    let known = kind?.attributes
    guard let name = names.first(where: { known?.contains($0) ?? true }) else {
      throw .unknownAttribute
    }
    terms[name] = try name.value(value)
  }

  private mutating func read(interaction value: Any) throws(RequestProblem) {
    guard let text = value as? String else { throw .wrongValue }
    switch text as NSString {
    case kSecUseAuthenticationUIAllow: break
    case kSecUseAuthenticationUIFail: interaction = .forbidden
    case kSecUseAuthenticationUISkip: interaction = .skipped
    default: throw .wrongValue
    }
  }
}

extension ItemRequest.Limit {
  fileprivate init(_ value: Any) throws(RequestProblem) {
    if let text = value as? String {
      switch text as NSString {
      case kSecMatchLimitOne: self = .atMost(1)
      case kSecMatchLimitAll: self = .all
      default: throw .wrongValue
      }
    } else {
      guard let number = value as? NSNumber, let count = Int(exactly: number), count > 0 else {
        throw .wrongValue
      }
      self = .atMost(count)
    }
  }
}

extension ItemRequest.Kind {
  /// The attributes of items of this kind.
  var attributes: Set<AttributeName> {
    switch self {
    case .item(let itemClass): itemClass.attributes
    case .identity: ItemClass.certificate.attributes.union(ItemClass.key.attributes)
    }
  }
}

/// The meaning of a key in a dictionary of SecItem.
enum RequestKey {
  /// Attributes that share the name; the class decides which is meant.
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
  /// Accepted without effect.
  case withoutEffect
  /// Only for keys: accepted, and not kept.
  case ofKeysWithoutEffect
  /// Not supported.
  case unimplemented
  /// Not supported, but accepted if false.
  case unimplementedIfTrue

  /// Nil for keys without a meaning.
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
