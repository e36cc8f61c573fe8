extension KeyQuery {
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
}
