import AuthcoreABI
import EngineKit
import Wire

extension KeychainEngine {
  /// ``CreateKey``: made and sealed by the enclave, then written in one transaction.
  func createKey(_ request: CreateKey, for application: String) throws(Failure) -> SecretBytes {
    guard !request.name.isEmpty else {
      throw Failure(
        .errSecParam, "a key needs a name", hint: "give it one that tells what it is for")
    }
    let hashes = try enclave.hashes(ofKey: request.name, in: application)
    let name = HashedKeyName(application: hashes.application, name: hashes.name ?? [])
    let random = try services.random(count: ItemRow.identifierCount)
    let identifier = random.bytes.indices.map { random.bytes[$0] }
    let protection = ItemProtection(
      accessibility: request.accessibility, accessControl: request.accessControl,
      identity: KeyRow.identity(identifier, name))
    let generated = try enclave.generateKey(protection)
    let key = EnclaveKey(
      identifier: ItemRow.text(of: identifier), name: request.name,
      accessibility: request.accessibility, accessControl: request.accessControl,
      createdAt: services.wallClock, publicKey: generated.publicKey)
    try store.insert(
      generated, key, identifier: identifier, named: name,
      sealedAttributes: try enclave.sealAttributes(of: key, identity: protection.identity))
    return KeyCreated(key: key).encoded(capacity: 512 + request.name.utf8.count)
  }

  /// ``FindKeys``: what is open, oldest first.
  func findKeys(_ request: FindKeys, for application: String) throws(Failure) -> SecretBytes {
    let found = try readable(try keyRows(request.name, of: application))
    guard !found.keys.isEmpty else { throw try reason(forNone: found) }
    return FoundKeys(keys: found.keys).encoded(capacity: 256 * found.keys.count)
  }

  /// ``UseKey``: the row says which key, the enclave uses it or says what is missing.
  func useKey(_ request: UseKey, for application: String) throws(Failure) -> SecretBytes {
    guard let row = try keyRows(request.name, of: application).first else {
      throw try reason(forNone: KeyRows())
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
  /// be removed; one that is newer than the enclave's keybag cannot.
  func removeKey(_ request: RemoveKey, for application: String) throws(Failure) -> SecretBytes {
    let rows = try keyRows(request.name, of: application)
    let found = try readable(rows)
    guard let row = rows.first, found.closedCount == 0, found.newerCount == 0 else {
      throw try reason(forNone: found)
    }
    guard try store.remove(row) else { throw Self.noSuchKey }
    return ItemsChanged(count: 1).encoded()
  }

  /// What became of rows.
  private struct KeyRows {
    var keys: [EnclaveKey] = []
    var closedCount = 0
    var damagedCount = 0
    var newerCount = 0
  }

  private func keyRows(_ name: String?, of application: String) throws(Failure) -> [KeyRow] {
    let hashes = try enclave.hashes(ofKey: name, in: application)
    return try store.keys(of: hashes.application, named: hashes.name)
  }

  private func readable(_ rows: [KeyRow]) throws(Failure) -> KeyRows {
    var found = KeyRows()
    for (row, result) in zip(rows, try enclave.openAttributes(of: rows)) {
      switch result {
      case .value(let key) where row.agrees(with: key): found.keys.append(key)
      case .closed: found.closedCount += 1
      case .newer: found.newerCount += 1
      case .value, .damaged:
        found.damagedCount += 1
        services.log(
          ac_log_level_t(AC_LOG_WARNING),
          "the key \(ItemRow.text(of: row.identifier)) is damaged and was left out")
      }
    }
    return found
  }

  /// Why no key can be given, although rows may match. While a class is closed nothing tells whether
  /// there is a key in it.
  private func reason(forNone found: KeyRows) throws(Failure) -> Failure {
    if found.newerCount > 0 { return Self.newer }
    if found.damagedCount > 0 { return Self.damagedKey }
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
