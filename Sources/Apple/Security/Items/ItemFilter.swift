import CoreFoundationTypes
import Cryptography
import Protocol

/// What must be so of an item beside what the keychain itself compares. It is looked at here, item
/// by item.
struct ItemFilter {
  /// What a dictionary says of it.
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
  /// What texts hold, capital letters or small, if that is ignored.
  private var caselessTexts: [AttributeName: String] = [:]
  private var subjectPart: String?
  private var host: String?
  /// Names in DER, one of which is the issuer's or that of one above it.
  private(set) var issuers: [[UInt8]]?
  /// When certificates are valid, in seconds since 1970.
  private(set) var validAt: Int64?
  /// The items that are looked at alone.
  private(set) var items: [ListedItem]?

  /// An entry of `kSecMatchItemList`.
  enum ListedItem {
    case persistent(PersistentReference)
    case referenced(ReferencedItem)
  }

  /// Whether nothing has to be looked at here.
  var isEmpty: Bool {
    createdAt == nil && modifiedAt == nil && caselessTexts.isEmpty && subjectPart == nil
      && host == nil && issuers == nil && validAt == nil && items == nil
  }

  /// Takes an entry of a dictionary.
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

  /// Takes out of the terms what is compared here, and refuses what no item of the kind has.
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

  /// Whether an item of these attributes is meant, as far as they tell.
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
  /// The words of a certificate's subject; none if there are none.
  var subjectTexts: [String] {
    guard case .data(let der) = values[.subject] else { return [] }
    return DistinguishedName(der: der)?.parts.map(\.value) ?? []
  }

  /// Who made a certificate, in DER; nil if this is none.
  var issuer: [UInt8]? {
    guard case .data(let der) = values[.issuer] else { return nil }
    return der
  }

  /// Whether one of these made the certificate, or one of those above it, as far as these
  /// certificates tell.
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
  /// What is left of items when a request's filter has looked at them.
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

  /// When a certificate is valid; nil if it is gone or says nothing of it.
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
  /// Whether an entry of a list of items means it.
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
