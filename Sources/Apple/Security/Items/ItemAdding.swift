import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// Adds the item of a request.
  /// - Returns: the wanted parts of it, or nil if nothing is wanted.
  /// - Throws: `errSecParam` for a contradictory or incomplete description, `errSecDuplicateItem`,
  ///   `errSecDataTooLarge`, and the keychain's refusals.
  func add(_ request: ItemRequest) throws(RequestProblem) -> AnyObject? {
    guard request.persistentReference == nil, request.synchronizability != .either else {
      throw .wrongValue
    }
    let result: ItemResult
    switch (try request.meantKind(), try request.referencedItem()) {
    case (.item(.generic), nil), (.item(.internet), nil): result = try addPassword(request)
    case (.item(.certificate), nil):
      guard let data = request.secret else { throw .wrongValue }
      result = try addCertificate([UInt8](data as Data), request)
    case (.item(.certificate), .certificate(let der)?): result = try addCertificate(der, request)
    case (.item(.key), nil): result = try addKey(request)
    case (.item(.key), .key(let key)?): result = try add(key, request)
    case (.identity, .identity(let certificate, let key)?):
      result = try addIdentity(certificate, key, request)
    default: throw .wrongValue
    }
    SharedGroups.join(request.group)
    guard !request.results.isEmpty else { return nil }
    return result.object(request.results)
  }

  private func addPassword(_ request: ItemRequest) throws(RequestProblem) -> ItemResult {
    let data = request.secret ?? NSData()
    guard data.length <= largestItemSecret else { throw .tooLarge }
    return try add(try request.newItem(), data.secretBytes(), request)
  }

  private func add(
    _ attributes: ItemAttributes, _ secret: consuming SecretBytes, _ request: ItemRequest
  ) throws(RequestProblem) -> ItemResult {
    let message = AddItem(attributes: attributes, secret: secret)
    let added: ItemAdded = try ask(message)
    var result = ItemResult(item: .item(added.attributes), group: request.namedGroup)
    if request.results.contains(.data) { result.data = message.secret.foundationData() }
    if request.results.contains(.reference), added.attributes.itemClass == .key {
      result.reference = try RequestProblem.catching { () throws(Failure) in
        try SecKey(added.attributes, message.secret)
      }
    }
    return result
  }

  private func addCertificate(
    _ der: [UInt8], _ request: ItemRequest
  ) throws(RequestProblem) -> ItemResult {
    guard der.count <= largestCertificate else { throw .tooLarge }
    var attributes = try request.newItem(of: .certificate)
    // The keychain reads the other attributes from the certificate.
    let own = attributes.values
    attributes.values = [:]
    for name in [AttributeName.label, .statedAccessibility] { attributes.values[name] = own[name] }
    let added: ItemAdded = try ask(AddCertificate(attributes: attributes, certificate: der))
    var result = ItemResult(item: .item(added.attributes), group: request.namedGroup)
    if request.results.contains(.data) { result.data = Data(der) as NSData }
    if request.results.contains(.reference) {
      result.reference = try RequestProblem.catching { () throws(Failure) in
        try SecCertificate(der)
      }
    }
    return result
  }

  /// Adds a key from its bytes.
  private func addKey(_ request: ItemRequest) throws(RequestProblem) -> ItemResult {
    // No private key can be brought into the enclave.
    guard let data = request.secret, request.terms[.tokenID] == nil else { throw .wrongValue }
    guard data.length <= largestItemSecret else { throw .tooLarge }
    let bytes = data.secretBytes()
    let attributes = request.terms.applied(to: AttributeValues()).describing(bytes)
    return try add(
      .software(SoftwareKeyItem(attributes: attributes, representation: bytes)), request)
  }

  private func add(
    _ key: ReferencedKey, _ request: ItemRequest
  ) throws(RequestProblem) -> ItemResult {
    guard case .software(let item) = key else {
      throw .failed(
        Failure(
          .errSecDuplicateItem, "keys of the enclave are always in the keychain",
          hint: "look for it with SecItemCopyMatching"))
    }
    guard item.representation.count <= largestItemSecret else { throw .tooLarge }
    var attributes = try request.newItem(of: .key)
    for name in item.attributes.names where request.terms[name] == nil {
      attributes.values[name] = item.attributes[name]
    }
    // A stored key is permanent.
    attributes.values[.isPermanent] = .number(1)
    return try add(attributes, item.representation.duplicate(), request)
  }

  /// Adds both parts, one of which may exist.
  private func addIdentity(
    _ certificate: [UInt8], _ key: ReferencedKey, _ request: ItemRequest
  ) throws(RequestProblem) -> ItemResult {
    var parts = request
    parts.results = []
    var addedCount = 0
    do throws(RequestProblem) {
      _ = try addCertificate(certificate, parts)
      addedCount += 1
    } catch {
      guard error.status == errSecDuplicateItem else { throw error }
    }
    do throws(RequestProblem) {
      _ = try add(key, parts)
      addedCount += 1
    } catch {
      guard error.status == errSecDuplicateItem, addedCount > 0 else { throw error }
    }
    var added = ItemRequest()
    (added.kind, added.reference, added.group) = (.identity, request.reference, request.group)
    added.synchronizability = .either
    guard let identity = try find(added, in: request.group, atMost: 1).first else {
      throw .noData
    }
    return try RequestProblem.catching { () throws(Failure) in
      try self.result(of: identity, request.results, in: request.namedGroup)
    }
  }
}

extension ItemRequest {
  /// The new item of this description.
  /// - Parameter itemClass: nil for the named class.
  /// - Returns: the item, without what the keychain adds.
  /// - Throws: `errSecParam` if it must not be synchronizable.
  fileprivate func newItem(of itemClass: ItemClass? = nil) throws(RequestProblem) -> ItemAttributes
  {
    var attributes = ItemAttributes()
    if let itemClass {
      attributes.itemClass = itemClass
    } else if case .item(let named)? = kind {
      attributes.itemClass = named
    }
    let own = attributes.itemClass.attributes
    for name in terms.names where own.contains(name) { attributes.values[name] = terms[name] }
    attributes.group = group ?? ""
    attributes.isSynchronizable = synchronizability == .exactly(true)
    attributes.accessControl = accessControl?.accessControl
    if let said = accessControl?.protection ?? protection {
      attributes.accessibility = accessibility ?? said.accessibility
      if said.isDeprecated, attributes.accessControl == nil {
        attributes.values[.statedAccessibility] = .text(said.text)
      }
    }
    try requireKeepable(
      isSynchronizable: attributes.isSynchronizable, attributes.accessControl)
    return attributes
  }

  /// Refuses a synchronizable item that demands a proof on this device (A9).
  ///
  /// A this-device-only class is accepted, although Apple's documentation calls it a contradiction:
  /// code for iOS adds such items and reads both attributes back. Nothing is sent anywhere here,
  /// and backups follow the class.
  func requireKeepable(
    isSynchronizable: Bool, _ accessControl: AccessControl?
  ) throws(RequestProblem) {
    guard isSynchronizable, accessControl != nil else { return }
    throw .wrongValue
  }
}
