import CoreClient
import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// The result of a request, or nil if it only asks whether there is something.
  /// - Throws: `errSecItemNotFound`, `errSecDataNotAvailable` (an enclave key has no data), and the
  ///   failures of opening an item.
  func copy(_ request: ItemRequest) throws(RequestProblem) -> AnyObject? {
    let limit: Int? =
      switch request.limit {
      case nil: 1
      case .all?: nil
      case .atMost(let count)?: count
      }
    if limit == 1, let opened = try openedAtOnce(request) { return opened.object(request.results) }
    let found = try find(request, atMost: limit)
    guard let first = found.first else { throw Self.nothingFound }
    guard !request.results.isEmpty else { return nil }
    if limit == 1 {
      let result = try RequestProblem.catching { () throws(Failure) in
        try self.result(of: first, request.results, in: group(of: first, request))
      }
      guard let object = result.object(request.results) else { throw .noData }
      return object
    }
    return try objects(of: found, request) as NSArray
  }

  /// No item matches.
  static var nothingFound: RequestProblem {
    .failed(
      Failure(
        .errSecItemNotFound, "no such item is in the keychain of this application",
        hint: "SecItemAdd adds one"))
  }

  /// Finds and opens a single password in one message, or returns nil if that is not possible.
  private func openedAtOnce(_ request: ItemRequest) throws(RequestProblem) -> ItemResult? {
    guard request.results.contains(.data), !request.results.contains(.reference), !isSkipping,
      request.filter.isEmpty, case .item(let itemClass) = try request.meantKind(),
      itemClass == .generic || itemClass == .internet
    else { return nil }
    let groups = groups(of: request)
    guard groups.count == 1 else { return nil }
    let query = try request.itemQuery(itemClass, in: groups[0])
    do throws(Failure) {
      let got = try keychain.open(query)
      SharedGroups.join(query.group)
      return ItemResult(
        item: .item(got.attributes), group: query.group, data: got.secret.foundationData())
    } catch {
      // Several match; the oldest is wanted.
      guard error.code == .ambiguous else { throw .failed(error) }
      return nil
    }
  }

  /// The results for several items, without those that are gone, damaged, or left out because
  /// nobody may be asked.
  private func objects(
    of items: [StoredItem], _ request: ItemRequest
  ) throws(RequestProblem) -> [AnyObject] {
    let shared = items.contains { $0.attributes.accessControl != nil } ? contextForSeveral() : nil
    var objects: [AnyObject] = []
    var isFirst = true
    var problem: Failure?
    for item in items {
      let session = forSeveral(shared, isFirst: isFirst)
      if item.attributes.accessControl != nil { isFirst = false }
      do throws(Failure) {
        let result = try session.result(of: item, request.results, in: group(of: item, request))
        if let object = result.object(request.results) { objects.append(object) }
      } catch {
        switch error.code {
        case .errSecItemNotFound, .errSecDecode: problem = error
        case .errSecInteractionNotAllowed where isSkipping: problem = error
        default: throw .failed(error)
        }
      }
    }
    if objects.isEmpty { throw problem.map { .failed($0) } ?? .noData }
    return objects
  }
}

/// The result for one item: a single object, or a dictionary of several.
struct ItemResult {
  let item: StoredItem
  /// The name that was used for its group.
  let group: String?
  /// The secret, or a certificate in DER; nil if it is not wanted or there is none.
  var data: NSData?
  /// Nil if it is not wanted or such items have none.
  var reference: (any ItemReference)?

  /// In the wanted form, or nil if the wanted part does not exist.
  func object(_ wanted: ItemRequest.Results) -> AnyObject? {
    let persistent = { item.persistentReference(group).data as NSData }
    switch wanted {
    case .data: return data
    case .reference: return reference
    case .persistentReference: return persistent()
    default: break
    }
    let dictionary =
      wanted.contains(.attributes)
      ? item.attributes.dictionary(item.persistentReference(group).kind) : NSMutableDictionary()
    if wanted.contains(.data), let data { dictionary[kSecValueData] = data }
    if wanted.contains(.reference), let reference { dictionary[kSecValueRef] = reference }
    if wanted.contains(.persistentReference) {
      dictionary[kSecValuePersistentRef] = persistent()
    }
    return dictionary.copy() as? NSDictionary ?? dictionary
  }
}

extension KeychainSession {
  /// The result for an item, which is opened if necessary.
  /// - Throws: what opening it fails with.
  func result(
    of item: StoredItem, _ wanted: ItemRequest.Results, in group: String?
  ) throws(Failure) -> ItemResult {
    var result = ItemResult(item: item, group: group)
    guard !wanted.isDisjoint(with: [.data, .reference]) else { return result }
    switch item {
    case .item(let attributes) where attributes.itemClass == .certificate:
      let certificate = try certificate(of: item, in: group)
      if wanted.contains(.data) { result.data = Data(certificate) as NSData }
      if wanted.contains(.reference) {
        result.reference = try SecCertificate(certificate)
      }
    case .item(let attributes):
      let isKey = attributes.itemClass == .key
      guard wanted.contains(.data) || isKey else { return result }
      let got = try open(attributes, in: group)
      if wanted.contains(.data) { result.data = got.secret.foundationData() }
      if wanted.contains(.reference), isKey {
        result.reference = try SecKey(attributes, got.secret)
      }
    case .enclaveKey(let key):
      if wanted.contains(.reference) {
        result.reference = try SecKey(key, authentication.map { .lent($0) } ?? .none)
      }
    case .identity(_, let key):
      let certificate = try certificate(of: item, in: group)
      if wanted.contains(.data) { result.data = Data(certificate) as NSData }
      if wanted.contains(.reference),
        let key = try self.result(of: key, .reference, in: group).reference as? SecKey
      {
        result.reference = SecIdentity(try SecCertificate(certificate), key)
      }
    }
    return result
  }
}

extension ItemAttributes {
  /// The attributes as SecItem gives them: only texts, bytes, dates and integers, since a Boolean
  /// could not be read as a number.
  func dictionary(_ kind: ItemRequest.Kind) -> NSMutableDictionary {
    let dictionary = NSMutableDictionary()
    dictionary[kSecClass] = constant(kind.name)
    for name in itemClass.owedTexts { dictionary[constant(name)] = "" as NSString }
    for name in values.names where name.isForPeople {
      guard let value = values[name] else { continue }
      dictionary[constant(name)] = value.object(as: name.form)
    }
    dictionary[kSecAttrAccessGroup] = group as NSString
    dictionary[kSecAttrSynchronizable] = NSNumber(value: isSynchronizable ? 1 : 0)
    dictionary[kSecAttrAccessible] = statedProtection.constant
    dictionary[kSecAttrCreationDate] = Self.date(createdAt)
    dictionary[kSecAttrModificationDate] = Self.date(modifiedAt)
    if let accessControl {
      dictionary[kSecAttrAccessControl] = SecAccessControl(statedProtection, accessControl)
    }
    return dictionary
  }

  /// The stated accessibility, as long as the item is protected accordingly.
  private var statedProtection: AccessibilityValue {
    if let stated = AccessibilityValue(values[text: .statedAccessibility]),
      stated.accessibility == accessibility
    {
      return stated
    }
    return AccessibilityValue(accessibility)
  }

  private static func date(_ seconds: Int64) -> NSDate {
    NSDate(timeIntervalSince1970: TimeInterval(seconds))
  }
}

extension ItemClass {
  /// The attributes that Apple's items always have, even if empty.
  fileprivate var owedTexts: [AttributeName] {
    switch self {
    case .generic: [.account, .service]
    case .internet: [.account, .server, .securityDomain, .path]
    case .certificate, .key, .note: []
    }
  }
}

extension AttributeValue {
  /// The object that SecItem gives.
  fileprivate func object(as form: AttributeName.Form) -> NSObject {
    switch self {
    case .text(let text): text as NSString
    case .data(let bytes): Data(bytes) as NSData
    case .number(let number) where form == .time:
      NSDate(timeIntervalSince1970: TimeInterval(number))
    case .number(let number): NSNumber(value: Int(number))
    }
  }
}

extension SecretBytes {
  /// A copy of the secret for applications, in memory that is neither locked nor wiped.
  borrowing func foundationData() -> NSData {
    unsafe withUnsafeBytes { bytes in
      unsafe NSData(bytes: bytes.baseAddress, length: bytes.count)
    }
  }
}

extension NSData {
  /// A copy of the bytes in locked memory.
  func secretBytes() -> SecretBytes {
    var secret = SecretBytes(count: length)
    unsafe secret.withUnsafeMutableBytes { target in
      if let start = target.baseAddress { unsafe getBytes(start, length: target.count) }
    }
    return secret
  }
}
