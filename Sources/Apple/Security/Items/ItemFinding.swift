import CoreClient
import Cryptography
import Protocol

extension KeychainSession {
  /// What a request means, oldest first.
  /// - Parameters:
  ///   - request: what is meant.
  ///   - count: the most that is wanted; nil: all.
  /// - Returns: what there is, none if there is none.
  /// - Throws: why it cannot be looked for.
  func find(_ request: ItemRequest, atMost count: Int?) throws(RequestProblem) -> [StoredItem] {
    let found = try inGroups(of: request) { (group) throws(RequestProblem) in
      try find(request, in: group, atMost: count)
    }
    if found.count == 1 { return found[0] }
    let all = found.joined().sorted { $0.attributes.createdAt < $1.attributes.createdAt }
    return count.map { Array(all.prefix($0)) } ?? all
  }

  /// What a request means in one group; nil: in the application's own.
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

  /// Keys of the enclave's and others. What is closed of one kind hides nothing of the other.
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
    // What no key of the enclave's is need not be asked for.
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
    // A group that nobody named is the application's own, which the keychain has compared.
    wanted.group = nil
    // Nothing has to be proved to find a key, so that none is left out for that.
    return keys.filter { !EnclaveKeyUse.isTemporary($0) && wanted.matches($0.itemAttributes) }
      .map { .enclaveKey($0) }
  }

  /// Certificates that are for one of the application's private keys.
  private func identities(
    _ request: ItemRequest, in group: String?
  ) throws(RequestProblem) -> [StoredItem] {
    let certificates = try items(try request.itemQuery(.certificate, in: group))
    guard !certificates.isEmpty else { return [] }
    var privateKeys = request
    privateKeys.kind = .item(.key)
    privateKeys.filter = ItemFilter()
    // What certificates alone are described by, or both, is asked of certificates.
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
  /// What kind of item is meant, however the dictionary says so.
  /// - Throws: `errSecParam` if nothing says it.
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

  /// How the group was named.
  var namedGroup: String? { group ?? persistentReference?.group }

  /// What the object stands for that is named; nil: none is.
  func referencedItem() throws(RequestProblem) -> ReferencedItem? {
    guard let reference else { return nil }
    return try RequestProblem.catching { () throws(Failure) in try reference.referencedItem() }
  }

  /// The query for items of a class in a group, which are meant by what the class has of the terms.
  /// - Throws: what the object is refused for.
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

  /// What is compared with what was said of accessibility, if one class protects for several:
  /// nil if nothing is.
  private var statedAccessibility: AttributeValue? {
    guard accessControl?.accessControl == nil, let said = accessControl?.protection ?? protection,
      said.accessibility.protectsForDeprecated
    else { return nil }
    return .text(said.isDeprecated ? said.text : "")
  }

  /// The query for keys of the enclave's in a group; what it does not ask for is compared here.
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
  /// Whether it protects items of a class that Apple has deprecated.
  fileprivate var protectsForDeprecated: Bool {
    self == .afterFirstUnlock || self == .afterFirstUnlockThisDeviceOnly
  }
}

extension ReferencedItem {
  /// What its item of a class is found by; nothing if it has none of this class.
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
