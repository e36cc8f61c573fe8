import Cryptography
import EngineKit
import Wire

extension Enclave {
  /// Seals a batch of attributes.
  func sealAttributes(_ entries: [AttributesEntry]) throws(Failure) -> AttributeBatch {
    var keys = AttributeKeys(enclave: self)
    for entry in entries where entry.bytes.count > largestAttributes {
      throw Failure(
        .errSecParam,
        "attributes of \(entry.bytes.count) bytes; at most \(largestAttributes) are taken")
    }
    try storeNewEnclave()
    var results: [AttributeBatch.Result] = []
    for entry in entries {
      if entry.accessibility == .whenPasscodeSetThisDeviceOnly, keybag.passcode == nil {
        throw Self.passcodeNotSet
      }
      let held = try keys.key(entry.accessibility)
      results.append(
        .value(
          try cryptographic { () throws(CryptographyError) in
            try AES256GCM.seal(
              entry.bytes.span, with: held.key, authenticating: Self.associated(entry))
          }))
    }
    return AttributeBatch(results: results)
  }

  /// Opens a batch of attributes, each as far as its class is open.
  func openAttributes(_ entries: [AttributesEntry]) -> AttributeBatch {
    var keys = AttributeKeys(enclave: self)
    return AttributeBatch(results: entries.map { open($0, &keys) })
  }

  private func open(
    _ entry: AttributesEntry, _ keys: inout AttributeKeys
  ) -> AttributeBatch.Result {
    do {
      let held = try keys.key(entry.accessibility)
      let opened = try AES256GCM.open(
        entry.bytes, with: held.key, authenticating: Self.associated(entry))
      return .value(opened.bytes.indices.map { opened.bytes[$0] })
    } catch let failure as Failure where failure.code == .errSecInteractionNotAllowed {
      return .closed
    } catch {
      return .damaged
    }
  }

  /// Hashes values so that rows can be found while their class is closed.
  func hashAttributes(_ values: [[UInt8]]) throws(Failure) -> AttributeBatch {
    try storeNewEnclave()
    return try cryptographic { () throws(CryptographyError) in
      let key = try root.derivedKey(for: .index)
      var results: [AttributeBatch.Result] = []
      for value in values {
        results.append(.value(try HMACSHA256.code(for: value.span, with: key.bytes)))
      }
      return AttributeBatch(results: results)
    }
  }

  private static func associated(_ entry: AttributesEntry) -> [UInt8] {
    Array("authcore attributes 1".utf8) + [entry.accessibility.rawValue] + entry.identity
  }
}

/// The attribute keys of one batch, each derived once.
private struct AttributeKeys {
  let enclave: Enclave
  private var derived: [Accessibility: HeldKey] = [:]

  init(enclave: Enclave) { self.enclave = enclave }

  mutating func key(_ accessibility: Accessibility) throws(Failure) -> HeldKey {
    if let key = derived[accessibility] { return key }
    let classKey = try enclave.classKey(accessibility)
    let key = HeldKey(
      try cryptographic { () throws(CryptographyError) in
        try classKey.key.derivedKey(for: .attributes)
      })
    derived[accessibility] = key
    return key
  }
}
