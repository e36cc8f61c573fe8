import CoreClient
import Cryptography
import Protocol

extension KeychainSession {
  /// The items of a request, oldest first.
  /// - Parameters:
  ///   - request: the request.
  ///   - count: the most items wanted; nil for all.
  /// - Returns: the items, which may be none.
  /// - Throws: why the search is impossible.
  func find(_ request: ItemRequest, atMost count: Int?) throws(RequestProblem) -> [StoredItem] {
    let found = try inGroups(of: request) { (group) throws(RequestProblem) in
      try find(request, in: group, atMost: count)
    }
    if found.count == 1 { return found[0] }
    let all = found.joined().sorted { $0.attributes.createdAt < $1.attributes.createdAt }
    return count.map { Array(all.prefix($0)) } ?? all
  }

  /// The items of a request in one group; nil for the application's own.
  func find(
    _ request: ItemRequest, in group: String?, atMost count: Int?
  ) throws(RequestProblem) -> [StoredItem] {
    let kind = try request.meantKind()
    if let reference = request.persistentReference, reference.kind != kind { return [] }
    let limit = request.filter.isEmpty ? count : nil
    var found: [StoredItem]
    switch kind {
    case .item(.key): found = try keys(request, in: group)
    case .item(let itemClass):
      let query = try request.itemQuery(itemClass, in: group)
      found = try items(query, atMost: limit).map { .item($0) }
    case .identity: found = try identities(request, in: group)
    }
    found = try filtered(found, by: request)
    return count.map { Array(found.prefix($0)) } ?? found
  }

  private func items(
    _ query: ItemQuery, atMost count: Int? = nil
  ) throws(RequestProblem) -> [ItemAttributes] {
    let message = FindItems(
      query: query, onlyOpenable: isSkipping, limit: count.map { UInt32(clamping: $0) } ?? 0)
    return try orNone { () throws(Failure) in try keychain.find(message) }
  }

  /// Keys in and outside the enclave. If one kind is closed, the other is still found.
  private func keys(
    _ request: ItemRequest, in group: String?
  ) throws(RequestProblem) -> [StoredItem] {
    let query = try request.itemQuery(.key, in: group)
    var found: [StoredItem] = []
    var problem: RequestProblem?
    do throws(RequestProblem) {
      found = try enclaveKeys(request, query)
    } catch {
      problem = error
    }
    if query.terms[.tokenID] == nil || query.terms[.tokenID] == .text("") {
      do throws(RequestProblem) {
        found += try items(query).map { .item($0) }
      } catch {
        problem = error
      }
    }
    if found.isEmpty, let problem { throw problem }
    return found.sorted { $0.attributes.createdAt < $1.attributes.createdAt }
  }

  private func enclaveKeys(
    _ request: ItemRequest, _ query: ItemQuery
  ) throws(RequestProblem) -> [StoredItem] {
    // Enclave keys need not be searched for attributes that they never have.
    let common = EnclaveKey.commonValues
    guard query.isSynchronizable != true,
      common.names.allSatisfy({ query.terms[$0] == nil || query.terms[$0] == common[$0] })
    else { return [] }
    if let location = request.persistentReference.map({ $0.key ?? $0.location }),
      location.place != .enclaveKey
    {
      return []
    }
    let meant = try request.keyQuery(in: query.group)
    let keys = try orNone { () throws(Failure) in try keychain.keys(meant) }
    var wanted = query
    // Without a name it is the application's own group, which the keychain has compared.
    wanted.group = nil
    // Finding a key needs no proof, so none is left out.
    return keys.filter { !EnclaveKeyUse.isHidden($0) && wanted.matches($0.itemAttributes) }
      .map { .enclaveKey($0) }
  }

  /// Certificates with a private key of the application.
  private func identities(
    _ request: ItemRequest, in group: String?
  ) throws(RequestProblem) -> [StoredItem] {
    let certificates = try items(try request.itemQuery(.certificate, in: group))
    guard !certificates.isEmpty else { return [] }
    var privateKeys = request
    privateKeys.kind = .item(.key)
    privateKeys.filter = ItemFilter()
    // Attributes of certificates are only compared with certificates.
    for name in request.terms.names where ItemClass.certificate.attributes.contains(name) {
      privateKeys.terms[name] = nil
    }
    (privateKeys.protection, privateKeys.accessControl) = (nil, nil)
    privateKeys.synchronizability = .either
    privateKeys.terms[.keyClass] = EnclaveKey.commonValues[.keyClass]
    let keys = try keys(privateKeys, in: group)
    return certificates.compactMap { certificate in
      guard let hash = certificate.values[.publicKeyHash] else { return nil }
      return keys.first { $0.attributes.values[.applicationLabel] == hash }
        .map { .identity(certificate: certificate, key: $0) }
    }
  }

  private func orNone<Element>(
    _ body: () throws(Failure) -> [Element]
  ) throws(RequestProblem) -> [Element] {
    do throws(Failure) {
      return try body()
    } catch {
      guard error.code == .errSecItemNotFound else { throw .failed(error) }
      return []
    }
  }
}

extension ItemRequest {
  /// The kind of item, however the dictionary states it.
  /// - Throws: `errSecParam` if it does not.
  func meantKind() throws(RequestProblem) -> Kind {
    if let kind { return kind }
    if let persistentReference { return persistentReference.kind }
    switch try referencedItem() {
    case .certificate?: return .item(.certificate)
    case .key?: return .item(.key)
    case .identity?: return .identity
    case nil: throw .wrongValue
    }
  }

  /// The group that was named.
  var namedGroup: String? { group ?? persistentReference?.group }

  /// The item that the given object stands for, or nil.
  func referencedItem() throws(RequestProblem) -> ReferencedItem? {
    guard let reference else { return nil }
    return try RequestProblem.catching { () throws(Failure) in try reference.referencedItem() }
  }

  /// The query for items of a class in a group, with the terms that the class has.
  /// - Throws: why the object is refused.
  func itemQuery(
    _ itemClass: ItemClass, in group: String?
  ) throws(RequestProblem) -> ItemQuery {
    var query = ItemQuery()
    query.itemClass = itemClass
    for name in terms.names where kind != .identity || itemClass.attributes.contains(name) {
      query.terms[name] = terms[name]
    }
    if let accessibility {
      query.accessibility = accessibility
      query.terms[.statedAccessibility] = statedAccessibility
    }
    query.group = group
    switch synchronizability {
    case .either: query.isSynchronizable = nil
    case .exactly(let isSynchronizable): query.isSynchronizable = isSynchronizable
    case .unsaid: if persistentReference != nil { query.isSynchronizable = nil }
    }
    if let persistentReference {
      let key = persistentReference.key
      let location =
        itemClass == .key ? key ?? persistentReference.location : persistentReference.location
      query.identifier = location.identifier
    }
    if let referenced = try referencedItem() {
      for (name, value) in try referenced.terms(of: itemClass) { query.terms[name] = value }
    }
    return query
  }

  /// The stated accessibility to compare, if several are protected by one class; else nil.
  private var statedAccessibility: AttributeValue? {
    guard accessControl?.accessControl == nil, let said = accessControl?.protection ?? protection,
      said.accessibility.protectsForDeprecated
    else { return nil }
    return .text(said.isDeprecated ? said.text : "")
  }

  /// The query for enclave keys in a group. Further terms are compared here.
  func keyQuery(in group: String?) throws(RequestProblem) -> KeyQuery {
    var query = KeyQuery()
    query.group = group
    if case .data(let tag)? = terms[.applicationTag] { query.applicationTag = tag }
    if case .data(let label)? = terms[.applicationLabel] { query.applicationLabel = label }
    if let persistentReference {
      query.identifier = (persistentReference.key ?? persistentReference.location).identifier
    }
    if case .key(.enclave(let key))? = try referencedItem() { query.identifier = key.identifier }
    return query
  }
}

extension Accessibility {
  /// Whether it protects for a class that Apple has deprecated.
  fileprivate var protectsForDeprecated: Bool {
    self == .afterFirstUnlock || self == .afterFirstUnlockThisDeviceOnly
  }
}

extension ReferencedItem {
  /// The terms that find its item of a class; empty if it has none.
  func terms(
    of itemClass: ItemClass
  ) throws(RequestProblem) -> [(AttributeName, AttributeValue)] {
    switch (self, itemClass) {
    case (.certificate(let der), .certificate), (.identity(let der, _), .certificate):
      do throws(X509Certificate.Problem) {
        let certificate = try X509Certificate(der: der.span)
        return [
          (.issuer, .data(certificate.issuer)), (.serialNumber, .data(certificate.serialNumber)),
        ]
      } catch {
        throw .wrongReference
      }
    case (.key(let key), .key), (.identity(_, let key), .key): return key.terms
    default: return []
    }
  }
}

extension ReferencedKey {
  private var values: AttributeValues {
    switch self {
    case .enclave(let key): key.itemAttributes.values
    case .software(let item): item.attributes
    }
  }

  fileprivate var terms: [(AttributeName, AttributeValue)] {
    let values = values
    return [AttributeName.applicationLabel, .keyClass].compactMap { name in
      values[name].map { (name, $0) }
    }
  }
}
