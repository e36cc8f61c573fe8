/// Which keys are meant: those that have all that is given here.
package struct KeyQuery: Equatable, WireField {
  /// The one key with this identifier.
  package var identifier: String?
  /// Empty: keys without a name.
  package var name: String?
  package var applicationTag: [UInt8]?
  package var applicationLabel: [UInt8]?
  package var label: String?
  /// Nil: the group of the application itself.
  package var group: String?

  /// Every key.
  package init() {}

  /// The key of a name; every key without one.
  package init(name: String?) { self.name = name }

  /// Whether it means every key, whatever that is.
  package var isEverything: Bool {
    var other = KeyQuery()
    other.group = group
    return self == other
  }

  /// Whether this key is what it asks for, the group apart.
  package func matches(_ key: EnclaveKey) -> Bool {
    (identifier ?? key.identifier) == key.identifier && (name ?? key.name) == key.name
      && (applicationTag ?? key.applicationTag) == key.applicationTag
      && (applicationLabel ?? key.applicationLabel) == key.applicationLabel
      && (label ?? key.label) == key.label
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(identifier, name, applicationTag, applicationLabel, label, group)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (identifier, name, applicationTag, applicationLabel, label, group) = try decoder.read()
    for text in [identifier, name, label] {
      try decoder.require(text ?? "", atMost: AttributeValue.longestText)
    }
    for data in [applicationTag, applicationLabel] {
      try decoder.require(data ?? [], atMost: AttributeValue.longestData)
    }
    try decoder.require(group ?? "", atMost: ItemAttributes.longestGroup)
  }
}
