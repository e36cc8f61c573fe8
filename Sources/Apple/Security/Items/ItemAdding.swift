import CoreFoundationTypes
import Protocol

extension KeychainSession {
  /// Adds what a request describes.
  /// - Returns: what is wanted of it; nil if nothing is.
  /// - Throws: `errSecParam` if the description contradicts itself or lacks something,
  ///   `errSecDuplicateItem`, `errSecDataTooLarge`, and what the keychain refuses it for.
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
    // What it says of itself the keychain reads out of it.
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

  /// A key that is handed over as bytes.
  private func addKey(_ request: ItemRequest) throws(RequestProblem) -> ItemResult {
    // Nothing brings a private key into the enclave.
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
          .errSecDuplicateItem, "keys of the enclave are in the keychain from the beginning",
          hint: "look for it with SecItemCopyMatching"))
    }
    guard item.representation.count <= largestItemSecret else { throw .tooLarge }
    var attributes = try request.newItem(of: .key)
    for name in item.attributes.names where request.terms[name] == nil {
      attributes.values[name] = item.attributes[name]
    }
    // What is stored is there for good.
    attributes.values[.isPermanent] = .number(1)
    return try add(attributes, item.representation.duplicate(), request)
  }

  /// Both parts; one of them may be there.
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
  /// The item of this description.
  /// - Parameter itemClass: nil: the class that is named.
  /// - Returns: the item, without what the keychain says of it.
  /// - Throws: `errSecParam` if it is to be synchronizable and must not.
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

  /// Refuses what is to be synchronizable and asks for somebody at this device (A9).
  ///
  /// A class that stays on the device is no contradiction, although Apple's documentation calls it
  /// one: code written for iOS adds such items and reads both attributes back. Nothing is sent
  /// anywhere here, and backups go by the class.
  func requireKeepable(
    isSynchronizable: Bool, _ accessControl: AccessControl?
  ) throws(RequestProblem) {
    guard isSynchronizable, accessControl != nil else { return }
    throw .wrongValue
  }
}
