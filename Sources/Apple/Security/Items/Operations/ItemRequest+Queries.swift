import Cryptography
import Protocol

extension ItemRequest {
  /// What kind of item is meant, however the dictionary says so.
  /// - Throws: `errSecParam` where nothing says it.
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
    do throws(Failure) {
      return try reference.referencedItem()
    } catch {
      throw .failed(error)
    }
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

  /// What is compared with what was said of accessibility, where one class protects for several:
  /// nil where nothing is.
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
  /// What its item of a class is found by; nothing where it has none of this class.
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
  /// What it is found by.
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
