extension ItemClass {
  /// As `--class` takes it.
  package var name: String { Self.names[self] ?? "" }

  /// Made once: asking the runtime for the name of a case is slow, and lists of many items ask often.
  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })

  /// The class with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// The attributes that an item of this class may have (SecItem.h, at each `kSecClass…`).
  package var attributes: Set<AttributeName> {
    switch self {
    case .generic: Self.ofPasswords.union([.service, .generic])
    case .internet:
      Self.ofPasswords.union([
        .securityDomain, .server, .protocol, .authenticationType, .port, .path,
      ])
    case .certificate:
      [
        .label, .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber,
        .subjectKeyID, .publicKeyHash, .statedAccessibility,
      ]
    case .key:
      [
        .label, .keyClass, .applicationLabel, .isPermanent, .applicationTag, .keyType,
        .keySizeInBits, .effectiveKeySize, .canEncrypt, .canDecrypt, .canDerive, .canSign,
        .canVerify, .canWrap, .canUnwrap, .tokenID, .startDate, .endDate, .creator,
        .statedAccessibility,
      ]
    case .note: Self.ofPasswords.union([.service, .generic])
    }
  }

  private static let ofPasswords: Set<AttributeName> = [
    .account, .label, .description, .comment, .creator, .type, .isInvisible, .isNegative,
    .statedAccessibility,
  ]

  /// What tells one item from another of the same class and group: no two may agree in all of it
  /// and in being synchronizable (APPLE.md 1.7; ours for notes).
  package var primaryKey: Set<AttributeName> {
    switch self {
    case .generic: [.service, .account]
    case .internet:
      [.account, .securityDomain, .server, .protocol, .authenticationType, .port, .path]
    case .certificate: [.certificateType, .issuer, .serialNumber]
    case .key:
      [
        .keyClass, .applicationLabel, .applicationTag, .creator, .keyType, .keySizeInBits,
        .effectiveKeySize, .startDate, .endDate,
      ]
    case .note: [.service, .account, .label]
    }
  }
}
