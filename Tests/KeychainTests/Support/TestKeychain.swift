import KeychainEngine
import Protocol

/// A keychain engine with its host, asked through its mailbox.
final class TestKeychain {
  let host: FakeHost
  let engine: KeychainEngine
  var enclave: FakeEnclave { host.enclave }

  static let app = "/usr/bin/mail"

  /// `busyTimeout` is for how many seconds another process may keep the file.
  convenience init(_ folder: TestFolder, busyTimeout: Double = 5) throws {
    try self.init(path: folder.path, busyTimeout: busyTimeout)
  }

  init(path: String, busyTimeout: Double = 5) throws {
    host = FakeHost(folder: path)
    engine = try KeychainEngine(services: host.services, busyTimeout: busyTimeout)
  }

  /// One that may take `room` bytes on the disk.
  init(_ host: FakeHost, room: Int) throws {
    self.host = host
    engine = try KeychainEngine(services: host.services, busyTimeout: 5, room: room)
  }

  /// An item was needed and evidence is missing.
  struct NeedsEvidence: Error, Equatable { let needed: EvidenceNeeded }

  /// Sends a message of an application's, as the core passes it on.
  func send<Reply: WireMessage & ~Copyable>(
    _ message: borrowing some EngineMessage & ~Copyable, app: String, context: UInt64 = 1
  ) throws -> Reply {
    enclave.context = context
    return try send(
      ApplicationRequest.encoded(
        context: ContextName(context, of: Requester(application: app, connection: 1)),
        message: message.encoded()))
  }

  private func send<Reply: WireMessage & ~Copyable>(
    _ request: consuming SecretBytes
  ) throws -> Reply {
    let reply = engine.handle(request.bytes)
    if let failure = try? Failure.decode(reply.bytes) { throw failure }
    if let needed = try? EvidenceNeeded.decode(reply.bytes) {
      throw NeedsEvidence(needed: needed)
    }
    return try Reply.decode(reply.bytes)
  }

  @discardableResult
  func add(
    _ service: String, _ account: String = "ann", label: String = "", secret: String = "s3cret",
    app: String = app, accessible: Accessibility = .whenUnlocked, access: String? = nil,
    requiresStrictMatch: Bool = false, itemClass: ItemClass = .generic
  ) throws -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.itemClass = itemClass
    attributes.service = service
    attributes.account = account
    attributes.label = label
    attributes.accessibility = accessible
    attributes.accessControl = try access.map {
      try AccessControl(parsing: $0, with: requiresStrictMatch ? .strictMatch : [])
    }
    return try add(attributes, secret: secret, app: app)
  }

  @discardableResult
  func add(
    _ attributes: ItemAttributes, secret: String = "s3cret", app: String = app
  ) throws -> ItemAttributes {
    let request = AddItem(
      attributes: attributes, secret: SecretBytes(copying: Array(secret.utf8).span))
    let reply: ItemAdded = try send(request, app: app)
    return reply.attributes
  }

  /// What is open without anything more being proved in a context.
  func findOpenable(
    _ query: ItemQuery = ItemQuery(), app: String = app, context: UInt64 = 1
  ) throws -> [ItemAttributes] {
    let reply: FoundItems = try send(
      FindItems(query: query, onlyOpenable: true), app: app, context: context)
    return reply.items
  }

  /// Adds several items in one message.
  @discardableResult
  func add(
    _ items: [(attributes: ItemAttributes, secret: [UInt8])], app: String = app
  ) throws -> [ItemsAdded.Result] {
    var entries: [AddItems.NewItem] = []
    var secrets: [UInt8] = []
    for item in items {
      entries.append(.init(attributes: item.attributes, secretCount: UInt32(item.secret.count)))
      secrets += item.secret
    }
    let joined = SecretBytes(copying: secrets.span)
    let reply: ItemsAdded = try send(AddItems(items: entries, secrets: joined), app: app)
    return reply.results
  }

  /// One page of what is found.
  func page(
    _ query: ItemQuery = ItemQuery(), limit: UInt32 = 0, after: UInt64 = 0, app: String = app
  ) throws -> FoundItems {
    try send(FindItems(query: query, limit: limit, after: after), app: app)
  }

  func find(_ query: ItemQuery = ItemQuery(), app: String = app) throws -> [ItemAttributes] {
    var items: [ItemAttributes] = []
    var after: UInt64 = 0
    repeat {
      let page = try page(query, after: after, app: app)
      items += page.items
      after = page.next
    } while after > 0
    return items
  }

  /// The secret as text.
  func get(_ query: ItemQuery, app: String = app, context: UInt64 = 1) throws -> String {
    let reply: GotItem = try send(GetItem(query: query), app: app, context: context)
    return String(decoding: bytes(of: reply.secret), as: UTF8.self)
  }

  func revision(_ query: ItemQuery) throws -> UInt64 {
    let reply: GotItem = try send(GetItem(query: query), app: Self.app)
    return reply.revision
  }

  @discardableResult
  func update(
    _ query: ItemQuery, _ changes: ItemChanges = ItemChanges(), secret: String? = nil,
    all: Bool = false, revision: UInt64? = nil, app: String = app, context: UInt64 = 1
  ) throws -> Int {
    let request = UpdateItems(
      query: query, changes: changes, allowsSeveral: all, replacesSecret: secret != nil,
      secret: SecretBytes(copying: Array((secret ?? "").utf8).span), revision: revision)
    let reply: ItemsChanged = try send(request, app: app, context: context)
    return Int(reply.count)
  }

  @discardableResult
  func remove(
    _ query: ItemQuery, all: Bool = false, revision: UInt64? = nil, app: String = app
  ) throws -> Int {
    let reply: ItemsChanged = try send(
      RemoveItems(query: query, allowsSeveral: all, revision: revision), app: app)
    return Int(reply.count)
  }

  @discardableResult
  func share(
    _ query: ItemQuery, with other: String, isShared: Bool = true, app: String = app,
    context: UInt64 = 1
  ) throws -> ItemAttributes {
    let reply: ItemAdded = try send(
      ShareItem(query: query, application: other, isShared: isShared), app: app, context: context)
    return reply.attributes
  }

  @discardableResult
  func createKey(
    _ name: String, app: String = app,
    accessible: Accessibility = .whenUnlockedThisDeviceOnly, access: String? = nil
  ) throws -> EnclaveKey {
    let control = try access.map { try AccessControl(parsing: $0) }
    let reply: KeyCreated = try send(
      CreateKey(name: name, accessibility: accessible, accessControl: control), app: app)
    return reply.key
  }

  func findKeys(_ name: String? = nil, app: String = app) throws -> [EnclaveKey] {
    let reply: FoundKeys = try send(FindKeys(query: KeyQuery(name: name)), app: app)
    return reply.keys
  }

  /// What the fake enclave says of a use: the key's number, the operation, the input.
  func useKey(
    _ name: String, _ operation: KeyOperation = .sign, on input: [UInt8] = [9],
    app: String = app, context: UInt64 = 1
  ) throws -> [UInt8] {
    let reply: KeyUsed = try send(
      UseKey(query: KeyQuery(name: name), operation: operation, input: input), app: app,
      context: context)
    return bytes(of: reply.output)
  }

  func removeKey(_ name: String, app: String = app) throws {
    let reply: ItemsChanged = try send(RemoveKey(query: KeyQuery(name: name)), app: app)
    precondition(reply.count == 1, "one key has one name")
  }

  func check(app: String = commandApplication) throws -> KeychainFindings {
    let reply: KeychainChecked = try send(CheckKeychain(), app: app)
    return reply.findings
  }

  func repair(
    beginsAnew: Bool = false, app: String = commandApplication
  ) throws -> KeychainRepaired {
    try send(RepairKeychain(beginsAnew: beginsAnew), app: app)
  }

  /// Sends any request about keys.
  func keys(_ query: KeyQuery, app: String = app) throws -> [EnclaveKey] {
    let reply: FoundKeys = try send(FindKeys(query: query), app: app)
    return reply.keys
  }

  func createKey(_ request: CreateKey, app: String = app) throws -> EnclaveKey {
    let reply: KeyCreated = try send(request, app: app)
    return reply.key
  }

  /// What the fake enclave says of a use: the key's number, the operation, the input.
  func useKey(_ query: KeyQuery, app: String = app) throws -> [UInt8] {
    let reply: KeyUsed = try send(
      UseKey(query: query, operation: .sign, input: [9]), app: app)
    return bytes(of: reply.output)
  }

  func removeKey(_ query: KeyQuery, app: String = app) throws {
    let reply: ItemsChanged = try send(RemoveKey(query: query), app: app)
    precondition(reply.count == 1, "one key is removed at a time")
  }

  @discardableResult
  func add(
    certificate: [UInt8], _ attributes: ItemAttributes = certificateAttributes(),
    app: String = app
  ) throws -> ItemAttributes {
    let request = AddCertificate(attributes: attributes, certificate: certificate)
    let reply: ItemAdded = try send(request, app: app)
    return reply.attributes
  }

  func certificate(_ query: ItemQuery, app: String = app) throws -> GotCertificate {
    try send(GetCertificate(query: query), app: app)
  }

  func identities(
    _ certificate: ItemQuery = ItemQuery(), key: KeyQuery = KeyQuery(), app: String = app
  ) throws -> [KeychainIdentity] {
    let reply: FoundIdentities = try send(
      FindIdentities(certificate: certificate, key: key), app: app)
    return reply.identities
  }

  func removePasscodeBound() throws -> Int {
    let reply: ItemsChanged = try send(RemovePasscodeBoundItems().encoded())
    return Int(reply.count)
  }
}

/// Runs `body` and gives the code of the failure it ends with, or nil.
func code(of body: () throws -> Void) throws -> FailureCode? { try failure(of: body)?.code }

/// Runs `body` and gives the failure it ends with, or nil.
func failure(of body: () throws -> Void) throws -> Failure? {
  do {
    try body()
    return nil
  } catch let failure as Failure {
    return failure
  }
}

/// A query by some of its attributes.
func query(_ service: String? = nil, _ account: String? = nil, label: String? = nil) -> ItemQuery {
  var query = ItemQuery()
  query.service = service
  query.account = account
  query.label = label
  return query
}

/// Some changes.
func changes(
  service: String? = nil, account: String? = nil, label: String? = nil,
  guarding: ItemChanges.Guarding? = nil
) -> ItemChanges {
  var changes = ItemChanges()
  changes.guarding = guarding
  changes.terms[text: .service] = service
  changes.terms[text: .account] = account
  changes.terms[text: .label] = label
  return changes
}

/// A query by any attributes of a class.
func query(_ itemClass: ItemClass?, _ terms: AttributeTerms) -> ItemQuery {
  var query = ItemQuery()
  query.itemClass = itemClass
  query.terms = terms
  return query
}

/// What a certificate is added with.
func certificateAttributes(
  label: String = "", accessible: Accessibility = .whenUnlocked
) -> ItemAttributes {
  var attributes = ItemAttributes()
  attributes.itemClass = .certificate
  attributes.label = label
  attributes.accessibility = accessible
  return attributes
}
