import AuthcoreABI
import EngineKit
import Protocol

extension KeychainEngine {
  /// ``CreateKey``: made and sealed by the enclave, then written in one transaction.
  func createKey(_ request: CreateKey, for application: String) throws(Failure) -> SecretBytes {
    guard !request.name.isEmpty || !request.applicationTag.isEmpty else {
      throw Failure(
        .errSecParam, "a key needs a name", hint: "give it one that tells what it is for")
    }
    let group = try group(request.group, of: application)
    let identifier = try services.newIdentifier()
    let hashes = try enclave.hashes(
      ofKey: request.name.isEmpty ? .unnamed(identifier: identifier) : .text(request.name),
      in: group)
    let name = HashedKeyName(group: hashes.group, name: hashes.name ?? [])
    let protection = ItemProtection(
      accessibility: request.accessibility, accessControl: request.accessControl,
      identity: KeyRow.identity(identifier, name))
    let generated = try enclave.generateKey(protection)
    var key = EnclaveKey(
      identifier: ItemRow.text(of: identifier), name: request.name,
      accessibility: request.accessibility, accessControl: request.accessControl,
      createdAt: services.wallClock, publicKey: generated.publicKey)
    (key.applicationTag, key.label) = (request.applicationTag, request.label)
    (key.group, key.applicationLabel) = (group, try Self.applicationLabel(of: key))
    try keys.insert(
      generated, key, identifier: identifier, named: name,
      sealedAttributes: try enclave.sealAttributes(of: key, identity: protection.identity))
    return KeyCreated(key: key).encoded(capacity: 1024 + request.applicationTag.count)
  }

  /// ``FindKeys``: what is open, oldest first.
  func findKeys(_ request: FindKeys, for application: String) throws(Failure) -> SecretBytes {
    let found = try foundKeys(request.query, of: application)
    guard !found.keys.isEmpty else { throw try reason(forNone: found) }
    return FoundKeys(keys: found.keys.map(\.key)).encoded(capacity: 512 * found.keys.count)
  }

  /// ``UseKey``: the row says which key, the enclave uses it or says what is missing.
  func useKey(_ request: UseKey, for application: String) throws(Failure) -> SecretBytes {
    let row: KeyRow
    if request.query.tellsRow {
      // What the row says in the clear tells enough; whether the class is open the enclave says.
      guard let named = try keyRows(request.query, of: application).first else {
        throw try reason(forNone: FoundRows())
      }
      row = named
    } else {
      row = try single(of: foundKeys(request.query, of: application))
    }
    guard let protection = row.protection else { throw Self.damagedKey }
    do throws(Failure) {
      return try enclave.use(row.sealedKey, as: protection, for: request)
    } catch  where error.code == .errSecInteractionNotAllowed {
      // In the words that are used where there is no such key.
      throw Self.closedKey
    }
  }

  /// ``RemoveKey``: without authentication, but only what is open, as for items. A damaged key can
  /// be removed by its name or its identifier; one that is newer than the enclave's keybag cannot.
  func removeKey(_ request: RemoveKey, for application: String) throws(Failure) -> SecretBytes {
    guard !request.query.isEverything else {
      throw Failure(
        .errSecParam, "nothing says which key is to be removed", hint: "name it, or its identifier")
    }
    let found = try foundKeys(request.query, of: application)
    let row: KeyRow
    if found.keys.isEmpty, found.closedCount == 0, found.newerCount == 0,
      let damaged = found.damaged.first
    {
      row = damaged
    } else {
      row = try single(of: found)
    }
    guard try keys.remove(row) else { throw Self.noSuchKey }
    return ItemsChanged(count: 1).encoded()
  }

  /// What became of rows that a query means.
  struct FoundRows {
    var keys: [(row: KeyRow, key: EnclaveKey)] = []
    var closedCount = 0
    var damaged: [KeyRow] = []
    var newerCount = 0
  }

  /// The rows that may be meant, as far as their columns tell.
  private func keyRows(
    _ query: KeyQuery, of application: String
  ) throws(Failure) -> [KeyRow] {
    let name = query.name.flatMap { $0.isEmpty ? nil : $0 }
    let hashes = try enclave.hashes(
      ofKey: name.map { .text($0) }, in: group(query.group ?? "", of: application))
    return try keys.keys(
      of: hashes.group, named: hashes.name,
      // Of what is no identifier there is no row.
      identifier: query.identifier.map { ItemRow.identifier(of: $0) ?? [] })
  }

  /// The keys that a query means. Where it asks for what is sealed, nothing tells of a row that
  /// cannot be read whether it is meant, and it is not counted.
  func foundKeys(_ query: KeyQuery, of application: String) throws(Failure) -> FoundRows {
    let rows = try keyRows(query, of: application)
    var found = FoundRows()
    for (row, result) in zip(rows, try enclave.openAttributes(of: rows)) {
      switch result {
      case .value(var key) where row.agrees(with: key):
        key.applicationLabel = try Self.applicationLabel(of: key)
        // Keys of when there were no groups are their application's.
        if key.group.isEmpty { key.group = application }
        if query.matches(key) { found.keys.append((row, key)) }
      case .closed: found.closedCount += query.isSealed ? 0 : 1
      case .newer: found.newerCount += query.isSealed ? 0 : 1
      case .value, .damaged:
        if !query.isSealed { found.damaged.append(row) }
        services.log(
          ac_log_level_t(AC_LOG_WARNING),
          "the key \(ItemRow.text(of: row.identifier)) is damaged and was left out")
      }
    }
    return found
  }

  /// The row of the one key, or why there is not exactly one.
  private func single(of found: FoundRows) throws(Failure) -> KeyRow {
    guard let first = found.keys.first else { throw try reason(forNone: found) }
    guard found.keys.count == 1 else {
      throw Failure(
        .ambiguous, "\(found.keys.count) keys match", hint: "name one of them by its identifier")
    }
    return first.row
  }

  /// Why no key can be given, although rows may match. While a class is closed nothing tells whether
  /// there is a key in it.
  func reason(forNone found: FoundRows) throws(Failure) -> Failure {
    if found.newerCount > 0 { return Self.newer }
    if !found.damaged.isEmpty { return Self.damagedKey }
    // Asked in either case, so that the answer takes as long.
    let isClosed = try enclave.isAClassClosed() || found.closedCount > 0
    return isClosed ? Self.closedKey : Self.noSuchKey
  }

  private static var noSuchKey: Failure {
    Failure(
      .errSecItemNotFound, "no such key is in the keychain of this application",
      hint: "authcore key list shows what there is; authcore key create makes one")
  }

  private static var closedKey: Failure {
    Failure(
      .errSecInteractionNotAllowed,
      "no key that can be reached while the device is locked is meant",
      hint: "unlock the device: authcore unlock")
  }

  private static var damagedKey: Failure {
    Failure(
      .errSecDecode, "the key is damaged and cannot be used",
      hint: "remove it and make another: authcore key remove, authcore key create")
  }
}

extension KeyQuery {
  /// Whether it asks for what is sealed, so that a row must be opened to say whether it is meant.
  fileprivate var isSealed: Bool {
    applicationTag != nil || applicationLabel != nil || label != nil || name == ""
  }

  /// Whether the columns of a row say that it is the one that is meant.
  fileprivate var tellsRow: Bool { !isSealed && (name != nil || identifier != nil) }
}
