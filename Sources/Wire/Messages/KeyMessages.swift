// What applications ask of the keychain about P-256 keys that never leave the enclave, and what it
// answers. There is no message that brings a private key in or out.

/// Makes a key, without a prompt. Reply: ``KeyCreated``. Failures: `errSecDuplicateItem`,
/// `errSecParam` (no name, or a class that is not of this device only),
/// `errSecInteractionNotAllowed`, `passcodeNotSet`, `biometryNotEnrolled`.
package struct CreateKey: EngineMessage, Equatable {
  package static var number: UInt8 { 51 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeyCreated.number }
  package let name: String
  package let accessibility: Accessibility
  package let accessControl: AccessControl?
  package init(name: String, accessibility: Accessibility, accessControl: AccessControl?) {
    self.name = name
    self.accessibility = accessibility
    self.accessControl = accessControl
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(name, accessibility, accessControl)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, accessibility, accessControl) = try decoder.read()
    try decoder.require(name, atMost: AttributeValue.longestText)
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
  /// Nil: all keys.
  package let name: String?
  package init(name: String?) { self.name = name }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(name) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    name = try decoder.read()
    try decoder.require(name ?? "", atMost: AttributeValue.longestText)
  }
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
/// `errSecParam` (an input that is none of the operation's), `errSecInteractionNotAllowed` (class
/// closed), `errSecDecode` (the key, or what is to be decrypted, is damaged or for another key),
/// `errSecAuthFailed` (the set of fingers has changed).
package struct UseKey: EngineMessage, Equatable {
  package static var number: UInt8 { 55 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { KeyUsed.number }
  package let name: String
  package let operation: KeyOperation
  package let input: [UInt8]
  package init(name: String, operation: KeyOperation, input: [UInt8]) {
    self.name = name
    self.operation = operation
    self.input = input
  }
  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(name, operation, input)
  }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, operation, input) = try decoder.read()
    try decoder.require(name, atMost: AttributeValue.longestText)
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
}

/// Removes a key, without a prompt, for good: what was encrypted for it stays so. Reply:
/// ``ItemsChanged``. Failures: `errSecItemNotFound`, `errSecInteractionNotAllowed`.
package struct RemoveKey: EngineMessage, Equatable {
  package static var number: UInt8 { 57 }
  package static var engine: AddressedEngine { .keychain }
  package static var replyNumber: UInt8 { ItemsChanged.number }
  package let name: String
  package init(name: String) { self.name = name }
  package borrowing func encode(into encoder: inout WireEncoder) { encoder.write(name) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    name = try decoder.read()
    try decoder.require(name, atMost: AttributeValue.longestText)
  }
}
