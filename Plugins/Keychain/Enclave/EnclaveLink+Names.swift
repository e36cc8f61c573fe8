import AuthcoreABI
import EngineKit
import Protocol

/// The enclave's hashes by which a row is found. They are of no use without the enclave.
///
/// Each is hashed together with the access group, so that equal names in two groups have different
/// hashes.
struct HashedName {
  let group: [UInt8]
  let service: [UInt8]
  let account: [UInt8]
  let label: [UInt8]
  /// Of the other attributes of the primary key; empty if there are none.
  let rest: [UInt8]

  fileprivate static let hashCount = 32

  /// The hashes of ``EnclaveLink/names(of:in:)``, in its order.
  init?(hashes: [[UInt8]]) {
    guard 4...5 ~= hashes.count, hashes.allSatisfy({ $0.count == Self.hashCount }) else {
      return nil
    }
    (group, service, account, label) = (hashes[0], hashes[1], hashes[2], hashes[3])
    rest = hashes.count > 4 ? hashes[4] : []
  }
}

/// The columns of hashes that rows are searched by. Each class stores its own attributes there.
enum NameColumn: String, CaseIterable {
  case service
  case account
  case label

  func attribute(of itemClass: ItemClass) -> AttributeName {
    switch (self, itemClass) {
    case (.service, .generic), (.service, .note): .service
    case (.service, .internet): .server
    case (.service, .certificate): .issuer
    case (.service, .key): .applicationLabel
    case (.account, .generic), (.account, .internet), (.account, .note): .account
    case (.account, .certificate): .serialNumber
    case (.account, .key): .applicationTag
    case (.label, _): .label
    }
  }

  /// The column that holds this attribute, or nil.
  init?(of attribute: AttributeName) {
    let found = Self.allCases.first { column in
      ItemClass.allCases.contains { column.attribute(of: $0) == attribute }
    }
    guard let found else { return nil }
    self = found
  }
}

extension ItemQuery {
  /// The terms that rows are searched by, one for each column.
  fileprivate var hashedTerms: [(column: NameColumn, name: AttributeName)] {
    var hashed: [(column: NameColumn, name: AttributeName)] = []
    for name in terms.names {
      guard let column = NameColumn(of: name), !hashed.contains(where: { $0.column == column })
      else { continue }
      hashed.append((column, name))
    }
    return hashed
  }

  /// Whether hashes alone tell which rows match.
  var isHashed: Bool { hashedTerms.count == terms.names.count }

  /// Whether attributes match the terms that their row was found by.
  func hashesMatch(_ attributes: ItemAttributes) -> Bool {
    var hashed = AttributeTerms()
    for (_, name) in hashedTerms { hashed[name] = terms[name] }
    return (itemClass ?? attributes.itemClass) == attributes.itemClass
      && (identifier ?? attributes.identifier) == attributes.identifier
      && isCalled(attributes) && hashed.match(attributes.values)
  }
}

extension EnclaveLink {
  /// The values that are hashed for an item: its group, its columns, and the rest of its primary
  /// key if there is one.
  func names(of item: ItemAttributes, in group: String) -> [[UInt8]] {
    let group = hashedName(group)
    var names = [Self.field("application", of: group, nil)]
    for column in NameColumn.allCases {
      let attribute = column.attribute(of: item.itemClass)
      names.append(Self.field(attribute.name, of: group, item.values[attribute]))
    }
    if let rest = Self.rest(of: item, in: group) { names.append(rest) }
    return names
  }

  /// The part of the primary key that has no column, or nil if there is none. `group` is the hashed
  /// name of the group.
  private static func rest(of item: ItemAttributes, in group: String) -> [UInt8]? {
    let own = [NameColumn.service, .account].map { $0.attribute(of: item.itemClass) }
    var others = AttributeValues()
    for name in item.itemClass.primaryKey.subtracting(own) { others[name] = item.values[name] }
    guard !others.isEmpty || item.isSynchronizable else { return nil }
    var encoder = WireEncoder()
    encoder.write("rest", group, item.isSynchronizable, others)
    return encoder.finishPlain()
  }

  /// Hashes the names of each item.
  func hashes(of items: [ItemAttributes], in group: String) throws(Failure) -> [HashedName] {
    var names: [HashedName] = []
    var (values, counts): ([[UInt8]], [Int]) = ([], [])
    func flush() throws(Failure) {
      var hashes = try hash(values)[...]
      for count in counts {
        guard let name = HashedName(hashes: Array(hashes.prefix(count))) else {
          throw Self.mismatch
        }
        names.append(name)
        hashes = hashes.dropFirst(count)
      }
      (values, counts) = ([], [])
    }
    for item in items {
      let own = self.names(of: item, in: group)
      // Each message also hashes a value that identifies the enclave.
      if values.count + own.count >= largestBatch { try flush() }
      values += own
      counts.append(own.count)
    }
    if !counts.isEmpty { try flush() }
    return names
  }

  /// The filter of a query, as far as hashes tell.
  func filter(for query: ItemQuery, in group: String) throws(Failure) -> RowFilter {
    let group = hashedName(group)
    let hashed = query.hashedTerms
    var values = hashed.map { Self.field($0.name.name, of: group, query.terms[$0.name]) }
    for name in query.names {
      values += Self.naming.map { Self.field($0.name, of: group, .text(name)) }
    }
    let hashes = try hash([Self.field("application", of: group, nil)] + values)
    return RowFilter(
      group: hashes[0], itemClass: query.itemClass, identifier: query.identifier,
      hashes: Dictionary(
        uniqueKeysWithValues: zip(hashed.map(\.column), hashes[1...].prefix(hashed.count))),
      names: Array(hashes.dropFirst(1 + hashed.count)))
  }

  /// The attributes that people call an item by. Each is hashed with its own name, so that its hash
  /// never matches in another column.
  private static let naming: [AttributeName] = [.service, .server, .label]

  /// The hashes that find the key of a name, or all keys of a group.
  func hashes(
    ofKey name: KeyRow.Name?, in group: String
  ) throws(Failure) -> (group: [UInt8], name: [UInt8]?) {
    let group = hashedName(group)
    var values = [Self.field("application", of: group, nil)]
    switch name {
    case .text(let text): values.append(Self.field("key", of: group, .text(text)))
    case .unnamed(let identifier):
      values.append(Self.field("key without a name", of: group, .data(identifier)))
    case nil: break
    }
    let hashes = try hash(values)
    return (hashes[0], hashes.count > 1 ? hashes[1] : nil)
  }

  /// The hashes that find rows shared with applications, one after another.
  func hashes(ofShares applications: [String]) throws(Failure) -> [UInt8] {
    guard !applications.isEmpty else { return [] }
    return try hash(
      applications.map { Self.field("shared with", of: hashedName($0), nil) }
    ).flatMap(\.self)
  }

  /// Identifies an enclave: its hash of this changes only with its keys. No application's field is
  /// encoded this way.
  static let identifyingName = field("enclave", of: "", nil)

  /// Checks which enclave answers.
  func identify() throws(Failure) { _ = try hash([]) }

  /// The identity of the enclave that answers, and the hash of an application's group, whichever
  /// enclave sealed the rows.
  func identity(
    seenBy application: String
  ) throws(Failure) -> (enclave: [UInt8], application: [UInt8]) {
    let own = Self.field("application", of: hashedName(application), nil)
    let request = HashAttributes(values: [Self.identifyingName, own])
    let batch: AttributeBatch = try decode(call(request.encoded()))
    guard batch.results.count == 2, case .value(let enclave) = batch.results[0],
      case .value(let own) = batch.results[1], enclave.count == HashedName.hashCount
    else { throw Self.mismatch }
    return (enclave, own)
  }

  /// Hashes values, and checks in the same message if the enclave has changed.
  private func hash(_ values: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    let request = HashAttributes(values: values + [Self.identifyingName])
    let batch: AttributeBatch = try decode(call(request.encoded()))
    guard batch.results.count == values.count + 1 else { throw Self.mismatch }
    var hashes: [[UInt8]] = []
    for result in batch.results {
      guard case .value(let hash) = result, hash.count == HashedName.hashCount else {
        throw Self.mismatch
      }
      hashes.append(hash)
    }
    return try withoutIdentity(hashes)
  }

  /// Takes the hash of ``identifyingName`` off the end of an answer. Sets aside a database that
  /// another enclave sealed, before any row is read.
  func withoutIdentity(_ hashes: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    guard let identity = hashes.last, identity.count == HashedName.hashCount else {
      throw Self.mismatch
    }
    if let path = try database?.belong(to: identity) {
      services.log(
        ac_log_level_t(AC_LOG_WARNING),
        """
        the enclave has other keys than those of the keychain's items: its database was set aside as \
        \(path), and an empty one begun
        """)
    }
    return hashes.dropLast()
  }

  /// The bytes to hash: each part follows its length, so no two fields have the same encoding. A
  /// missing value is hashed as an empty text; the name tells other types apart.
  private static func field(
    _ name: String, of group: String, _ value: AttributeValue?
  ) -> [UInt8] {
    var encoder = WireEncoder()
    switch value {
    case nil: encoder.write(name, group, "")
    case .text(let text): encoder.write(name, group, text)
    case .data(let data): encoder.write(name + " data", group, data)
    case .number(let number): encoder.write(name + " number", group, number)
    }
    return encoder.finishPlain()
  }
}
