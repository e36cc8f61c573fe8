import CoreFoundationTypes
import Cryptography
import Protocol

/// The conditions that the keychain itself does not compare. They are checked here, item by item.
struct ItemFilter {
  enum Key {
    case items
    case caseInsensitive
    case subjectContains
    case host
    case issuers
    case validOn
  }

  /// Seconds since 1970.
  var createdAt: Int64?
  /// Seconds since 1970.
  var modifiedAt: Int64?
  private var ignoresCase = false
  /// The values of texts in lower case, if case is ignored.
  private var caselessTexts: [AttributeName: String] = [:]
  private var subjectPart: String?
  private var host: String?
  /// Names in DER: the issuer, or one above it, must have one of them.
  private(set) var issuers: [[UInt8]]?
  /// The moment at which certificates must be valid, in seconds since 1970.
  private(set) var validAt: Int64?
  /// The only items to search.
  private(set) var items: [ListedItem]?

  /// An entry of `kSecMatchItemList`.
  enum ListedItem {
    case persistent(PersistentReference)
    case referenced(ReferencedItem)
  }

  /// Whether there are no such conditions.
  var isEmpty: Bool {
    createdAt == nil && modifiedAt == nil && caselessTexts.isEmpty && subjectPart == nil
      && host == nil && issuers == nil && validAt == nil && items == nil
  }

  /// Reads an entry of a dictionary.
  mutating func read(_ key: Key, _ value: Any) throws(RequestProblem) {
    switch key {
    case .caseInsensitive: ignoresCase = try AttributeName.flag(value)
    case .subjectContains:
      guard let text = value as? String else { throw .wrongValue }
      subjectPart = text
    case .host:
      guard let text = value as? String, !text.isEmpty else { throw .wrongValue }
      host = text.lowercased()
    case .issuers:
      guard let names = value as? [Data] else { throw .wrongValue }
      issuers = names.map { [UInt8]($0) }
    case .validOn:
      if value is NSNull {
        validAt = try AttributeName.seconds(Date())
      } else {
        validAt = try AttributeName.seconds(value)
      }
    case .items:
      guard let entries = value as? [Any] else { throw .wrongValue }
      var listed: [ListedItem] = []
      for entry in entries { listed.append(try ListedItem(entry)) }
      items = listed
    }
  }

  /// Removes the terms that are compared here, and refuses conditions that no item of the kind
  /// meets.
  mutating func finish(
    _ terms: inout AttributeTerms, _ kind: ItemRequest.Kind?
  ) throws(RequestProblem) {
    let isAboutCertificates = subjectPart != nil || issuers != nil || validAt != nil
    guard !isAboutCertificates || kind == .item(.certificate) || kind == .identity else {
      throw .wrongValue
    }
    guard host == nil || kind == .item(.internet) else { throw .wrongValue }
    guard ignoresCase else { return }
    for name in terms.names {
      guard let text = terms[text: name], !text.isEmpty else { continue }
      caselessTexts[name] = text.lowercased()
      terms[name] = nil
    }
  }

  /// Whether an item matches, as far as its attributes tell.
  func matches(_ attributes: ItemAttributes) -> Bool {
    (createdAt ?? attributes.createdAt) == attributes.createdAt
      && (modifiedAt ?? attributes.modifiedAt) == attributes.modifiedAt
      && caselessTexts.allSatisfy { attributes.values[text: $0.key].lowercased() == $0.value }
      && matchesSubject(attributes) && matchesHost(attributes)
  }

  private func matchesSubject(_ attributes: ItemAttributes) -> Bool {
    guard let subjectPart else { return true }
    let texts = attributes.subjectTexts
    guard ignoresCase else { return texts.contains { $0.contains(subjectPart) } }
    return texts.contains { $0.lowercased().contains(subjectPart.lowercased()) }
  }

  private func matchesHost(_ attributes: ItemAttributes) -> Bool {
    guard let host else { return true }
    let server = attributes.server.lowercased()
    return server == host || server.hasSuffix("." + host)
  }
}

extension ItemFilter.ListedItem {
  fileprivate init(_ entry: Any) throws(RequestProblem) {
    if let data = entry as? Data {
      guard let reference = PersistentReference(data) else { throw .wrongReference }
      self = .persistent(reference)
    } else if let object = entry as? any ItemReference {
      self = .referenced(
        try RequestProblem.catching { () throws(Failure) in try object.referencedItem() })
    } else {
      throw .wrongValue
    }
  }
}

extension ItemAttributes {
  /// The words of a certificate's subject.
  var subjectTexts: [String] {
    guard case .data(let der) = values[.subject] else { return [] }
    return DistinguishedName(der: der)?.parts.map(\.value) ?? []
  }

  /// The issuer of a certificate in DER, or nil if this is not a certificate.
  var issuer: [UInt8]? {
    guard case .data(let der) = values[.issuer] else { return nil }
    return der
  }

  /// Whether one of these issuers made the certificate, or one above it among these certificates.
  func isIssued(by issuers: [[UInt8]], through certificates: [ItemAttributes]) -> Bool {
    var names: Set<[UInt8]> = []
    var waiting = [issuer].compactMap(\.self)
    while let name = waiting.popLast() {
      guard names.insert(name).inserted else { continue }
      if issuers.contains(name) { return true }
      waiting += certificates.filter { $0.values[.subject] == .data(name) }.compactMap(\.issuer)
    }
    return false
  }
}

extension KeychainSession {
  /// The items that pass a request's filter.
  func filtered(
    _ items: [StoredItem], by request: ItemRequest
  ) throws(RequestProblem) -> [StoredItem] {
    let filter = request.filter
    guard !filter.isEmpty else { return items }
    var left = items.filter { filter.matches($0.attributes) }
    if let listed = filter.items { left = try Self.listed(left, by: listed) }
    if let issuers = filter.issuers { left = try issued(left, by: issuers, request) }
    if let moment = filter.validAt {
      var valid: [StoredItem] = []
      for item in left {
        if try validity(of: item, request)?.contains(moment) == true { valid.append(item) }
      }
      left = valid
    }
    return left
  }

  private static func listed(
    _ items: [StoredItem], by listed: [ItemFilter.ListedItem]
  ) throws(RequestProblem) -> [StoredItem] {
    var left: [StoredItem] = []
    for item in items {
      for entry in listed where try item.isMeant(by: entry) {
        left.append(item)
        break
      }
    }
    return left
  }

  private func issued(
    _ items: [StoredItem], by issuers: [[UInt8]], _ request: ItemRequest
  ) throws(RequestProblem) -> [StoredItem] {
    var all = ItemRequest()
    all.kind = .item(.certificate)
    all.synchronizability = .either
    all.group = request.namedGroup
    let certificates = try find(all, atMost: nil).map(\.attributes)
    return items.filter { $0.attributes.isIssued(by: issuers, through: certificates) }
  }

  /// The validity of a certificate, or nil if it is gone or states none.
  private func validity(
    of item: StoredItem, _ request: ItemRequest
  ) throws(RequestProblem) -> ClosedRange<Int64>? {
    do throws(Failure) {
      return try SecCertificate(certificate(of: item, in: group(of: item, request))).validity
    } catch {
      guard error.code == .errSecItemNotFound || error.code == .errSecDecode else {
        throw .failed(error)
      }
      return nil
    }
  }
}

extension StoredItem {
  /// Whether an entry of a list of items refers to it.
  fileprivate func isMeant(by entry: ItemFilter.ListedItem) throws(RequestProblem) -> Bool {
    switch entry {
    case .persistent(let reference): return isMeant(by: reference)
    case .referenced(let referenced):
      let attributes = attributes
      let terms = try referenced.terms(of: .certificate) + referenced.terms(of: .key)
      return !terms.isEmpty && terms.allSatisfy { attributes.values[$0.0] == $0.1 }
    }
  }
}
