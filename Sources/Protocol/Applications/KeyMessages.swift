// What applications ask of the keychain about P-256 keys that never leave the enclave, and what it
// answers. There is no message that brings a private key in or out.

/// Makes a key, without a prompt. Reply: ``KeyCreated``. Failures: `errSecDuplicateItem`,
/// `errSecParam` (neither a name nor a tag, or a class that is not of this device only),
/// `errSecMissingEntitlement` (a group that it does not reach), `errSecInteractionNotAllowed`,
/// `passcodeNotSet`, `biometryNotEnrolled`.
package struct CreateKey: EngineMessage, Equatable {
  package static var number: UInt8 { 51 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeyCreated.number }
  /// May be empty where there is a tag.
  package let name: String
  package var applicationTag: [UInt8] = []
  package var label = ""
  /// Empty: that of the application itself.
  package var group = ""
  package let accessibility: Accessibility
  package let accessControl: AccessControl?
  package init(name: String, accessibility: Accessibility, accessControl: AccessControl?) {
    self.name = name
    self.accessibility = accessibility
    self.accessControl = accessControl
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(name, applicationTag, label, group, accessibility, accessControl)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, applicationTag, label, group, accessibility, accessControl) = try decoder.read()
    for text in [name, label] { try decoder.require(text, atMost: AttributeValue.longestText) }
    try decoder.require(applicationTag, atMost: AttributeValue.longestData)
    try decoder.require(group, atMost: ItemAttributes.longestGroup)
  }
}

/// The key as it is stored.
package struct KeyCreated: WireMessage, Equatable {
  package static var number: UInt8 { 52 }
  package let key: EnclaveKey
  package init(key: EnclaveKey) { self.key = key }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(key) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { key = try decoder.read() }
}

/// Finds keys, without a prompt. Reply: ``FoundKeys``. Failures: `errSecItemNotFound`;
/// `errSecInteractionNotAllowed` where a class is closed and no open key is meant.
package struct FindKeys: EngineMessage, Equatable {
  package static var number: UInt8 { 53 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { FoundKeys.number }
  package let query: KeyQuery
  package init(query: KeyQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}

/// Keys, oldest first.
package struct FoundKeys: WireMessage, Equatable {
  package static var number: UInt8 { 54 }
  package let keys: [EnclaveKey]
  package init(keys: [EnclaveKey]) { self.keys = keys }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(keys) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { keys = try decoder.read() }
}

/// Uses a private key where it is, against the evidence of a context. Reply: ``KeyUsed``, or
/// ``EvidenceNeeded``, which the core answers by prompting. Failures: `errSecItemNotFound`,
/// `ambiguous` (several match), `errSecParam` (an input that is none of the operation's), `errSecInteractionNotAllowed` (class
/// closed), `errSecDecode` (the key, or what is to be decrypted, is damaged or for another key),
/// `errSecAuthFailed` (the set of fingers has changed).
package struct UseKey: EngineMessage, Equatable {
  package static var number: UInt8 { 55 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeyUsed.number }
  package let query: KeyQuery
  package let operation: KeyOperation
  package let input: [UInt8]
  package init(query: KeyQuery, operation: KeyOperation, input: [UInt8]) {
    self.query = query
    self.operation = operation
    self.input = input
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(query, operation, input)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (query, operation, input) = try decoder.read()
  }
}

/// What came of using a key; the reply of the enclave, which the keychain passes on.
package struct KeyUsed: WireMessage, ~Copyable {
  package static var number: UInt8 { 56 }
  package let output: SecretBytes
  package init(output: consuming SecretBytes) { self.output = output }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.writeSecret(output) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    output = try decoder.readSecret(limit: largestItemSecret)
  }

  /// Gives the message up for what came of it.
  package consuming func takeOutput() -> SecretBytes { output }
}

/// Removes the one key a query names, without a prompt, for good: what was encrypted for it stays so.
/// Reply: ``ItemsChanged``. Failures: `errSecItemNotFound`, `ambiguous`,
/// `errSecInteractionNotAllowed`, `errSecParam` (nothing says which).
package struct RemoveKey: EngineMessage, Equatable {
  package static var number: UInt8 { 57 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsChanged.number }
  package let query: KeyQuery
  package init(query: KeyQuery) { self.query = query }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(query) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) { query = try decoder.read() }
}
