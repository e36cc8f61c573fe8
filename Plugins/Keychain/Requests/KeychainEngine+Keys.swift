import AuthcoreABI
import Cryptography
import EngineKit
import Protocol

extension KeychainEngine {
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

  /// ``FindKeys``: open keys, oldest first.
  func findKeys(_ request: FindKeys, for application: String) throws(Failure) -> SecretBytes {
    let found = try foundKeys(request.query, of: application)
    guard !found.keys.isEmpty else { throw try reason(forNone: found) }
    return FoundKeys(keys: found.keys.map(\.key)).encoded(capacity: 512 * found.keys.count)
  }

  /// ``UseKey``: the enclave uses the key or says what is missing.
  func useKey(_ request: UseKey, for application: String) throws(Failure) -> SecretBytes {
    let row: KeyRow
    if request.query.tellsRow {
      // The row's columns tell enough; the enclave tells if the class is open.
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
      // In the same words as for an unknown key.
      throw Self.closedKey
    }
  }

  /// ``RemoveKey``: removes open keys without authentication, like items. A damaged key can be
  /// removed by its name or identifier; a key that is newer than the enclave's keybag cannot.
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

  struct FoundRows {
    var keys: [(row: KeyRow, key: EnclaveKey)] = []
    var closedCount = 0
    var damaged: [KeyRow] = []
    var newerCount = 0
  }

  /// The rows that may match, as far as their columns tell.
  private func keyRows(
    _ query: KeyQuery, of application: String
  ) throws(Failure) -> [KeyRow] {
    let name = query.name.flatMap { $0.isEmpty ? nil : $0 }
    let hashes = try enclave.hashes(
      ofKey: name.map { .text($0) }, in: group(query.group ?? "", of: application))
    return try keys.keys(
      of: hashes.group, named: hashes.name,
      // No row has an impossible identifier.
      identifier: query.identifier.map { ItemRow.identifier(of: $0) ?? [] })
  }

  /// The keys that a query matches. If it asks for sealed attributes, rows that cannot be read are
  /// not counted.
  func foundKeys(_ query: KeyQuery, of application: String) throws(Failure) -> FoundRows {
    let rows = try keyRows(query, of: application)
    var found = FoundRows()
    for (row, result) in zip(rows, try enclave.openAttributes(of: rows)) {
      switch result {
      case .value(var key) where row.agrees(with: key):
        key.applicationLabel = try Self.applicationLabel(of: key)
        // Keys from before there were groups belong to their application.
        if key.group.isEmpty { key.group = application }
        if query.selects(key) { found.keys.append((row, key)) }
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

  private func single(of found: FoundRows) throws(Failure) -> KeyRow {
    guard let first = found.keys.first else { throw try reason(forNone: found) }
    guard found.keys.count == 1 else {
      throw Failure(
        .ambiguous, "\(found.keys.count) keys match", hint: "name one of them by its identifier")
    }
    return first.row
  }

  /// Why no key can be given, although rows may match. While a class is closed, nothing tells if it
  /// holds a key.
  func reason(forNone found: FoundRows) throws(Failure) -> Failure {
    if found.newerCount > 0 { return Self.newer }
    if !found.damaged.isEmpty { return Self.damagedKey }
    // Asked in every case, so that timing tells nothing.
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
      "no key that can be reached while the device is locked matches",
      hint: "unlock the device: authcore unlock")
  }

  private static var damagedKey: Failure {
    Failure(
      .errSecDecode, "the key is damaged and cannot be used",
      hint: "remove it and make another: authcore key remove, authcore key create")
  }
}

extension KeyQuery {
  /// Whether it asks for sealed attributes, so that only an opened row tells if it matches.
  fileprivate var isSealed: Bool {
    applicationTag != nil || applicationLabel != nil || label != nil || name == ""
  }

  /// Whether a key matches. A label as long as the hash of an age identity is that hash.
  fileprivate func selects(_ key: EnclaveKey) -> Bool {
    guard let label = applicationLabel, label.count == AgeIdentity.hashSize else {
      return matches(key)
    }
    var others = self
    others.applicationLabel = nil
    guard others.matches(key), let point = try? P256PublicKey(point: key.publicKey) else {
      return false
    }
    return (try? AgeIdentity(of: point))?.hash == label
  }

  /// Whether a row's columns tell that it matches.
  fileprivate var tellsRow: Bool { !isSealed && (name != nil || identifier != nil) }
}
