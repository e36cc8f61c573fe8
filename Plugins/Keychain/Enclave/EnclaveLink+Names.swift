import AuthcoreABI
import EngineKit
import Wire

/// The enclave's hashes by which a row is found; of no use to anyone without the enclave.
///
/// All are hashed together with the application, so that equal names of two applications have
/// nothing in common.
struct HashedName {
  let application: [UInt8]
  let service: [UInt8]
  let account: [UInt8]
  let label: [UInt8]

  /// Bytes of a hash.
  fileprivate static let hashCount = 32

  /// The hashes of ``EnclaveLink/names(of:in:)``, in its order; nil where they cannot be.
  init?(hashes: [[UInt8]]) {
    guard hashes.count == 4, hashes.allSatisfy({ $0.count == Self.hashCount }) else { return nil }
    application = hashes[0]
    service = hashes[1]
    account = hashes[2]
    label = hashes[3]
  }
}

extension EnclaveLink {
  /// What an item is found by, as it is hashed: the application first.
  static func names(of item: ItemAttributes, in application: String) -> [[UInt8]] {
    [
      field("application", of: application, ""), field("service", of: application, item.service),
      field("account", of: application, item.account), field("label", of: application, item.label),
    ]
  }

  /// Hashes what each item is found by; as many results as there are items.
  func hashes(
    of items: [ItemAttributes], in application: String
  ) throws(Failure) -> [HashedName] {
    let perItem = 4
    var names: [HashedName] = []
    var start = 0
    while start < items.count {
      let end = min(items.count, start + (largestBatch - 1) / perItem)
      let hashes = try hash(items[start..<end].flatMap { Self.names(of: $0, in: application) })
      for first in stride(from: 0, to: hashes.count, by: perItem) {
        guard let name = HashedName(hashes: Array(hashes[first..<first + perItem])) else {
          throw Self.mismatch
        }
        names.append(name)
      }
      start = end
    }
    return names
  }

  /// The rows a query names.
  func filter(for query: ItemQuery, in application: String) throws(Failure) -> RowFilter {
    let named = [("service", query.service), ("account", query.account), ("label", query.label)]
    let values = named.compactMap { name, value in
      value.map { Self.field(name, of: application, $0) }
    }
    var hashes = try hash([Self.field("application", of: application, "")] + values)
      .makeIterator()
    guard let hashedApplication = hashes.next() else { throw Self.mismatch }
    return RowFilter(
      application: hashedApplication, itemClass: query.itemClass,
      service: query.service == nil ? nil : hashes.next(),
      account: query.account == nil ? nil : hashes.next(),
      label: query.label == nil ? nil : hashes.next())
  }

  /// What the key of a name is found by; of all keys of an application without one.
  func hashes(
    ofKey name: String?, in application: String
  ) throws(Failure) -> (application: [UInt8], name: [UInt8]?) {
    let values = [("application", ""), ("key", name)].compactMap { field, value in
      value.map { Self.field(field, of: application, $0) }
    }
    let hashes = try hash(values)
    return (hashes[0], hashes.count > 1 ? hashes[1] : nil)
  }

  /// What an enclave is known by: its hash of this changes with its keys and with nothing else. No
  /// application's field is encoded so.
  static let identifyingName = field("enclave", of: "", "")

  /// Asks which enclave answers, where nothing else is asked of it.
  func identify() throws(Failure) { _ = try hash([]) }

  /// Hashes values, and takes the same answer to notice that the enclave is another one.
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

  /// Takes the hash of ``identifyingName`` off the end of an answer. What another enclave sealed is
  /// set aside before a row of it is looked at.
  func withoutIdentity(_ hashes: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    guard let identity = hashes.last, identity.count == HashedName.hashCount else {
      throw Self.mismatch
    }
    if let path = try store.belong(to: identity) {
      services.log(
        ac_log_level_t(AC_LOG_WARNING),
        """
        the enclave has other keys than those of the keychain's items: its database was set aside as \
        \(path), and an empty one begun
        """)
    }
    return hashes.dropLast()
  }

  /// What is hashed: every part has its length before it, so no two fields have one encoding.
  private static func field(
    _ name: String, of application: String, _ value: String
  ) -> [UInt8] {
    var encoder = WireEncoder()
    for part in [name, application, value] { encoder.writeText(part) }
    return encoder.finishPlain()
  }
}
