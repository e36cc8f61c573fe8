extension AttributeName {
  /// The name on the command line, in JSON and in the enclave's hashes.
  package var name: String { Self.namesByNumber[Int(rawValue)] }

  /// Made once: asking the runtime for the name of a case is slow, and long lists ask often.
  private static let namesByNumber: [String] = {
    let longest = allCases.map { Int($0.rawValue) }.max() ?? 0
    var names = [String](repeating: "", count: longest + 1)
    for name in allCases { names[Int(name.rawValue)] = "\(name)" }
    return names
  }()

  /// Whether people can name it. The others are for libraries to read back to programs.
  package var isForPeople: Bool { self != .statedAccessibility }

  package static let count = allCases.count

  /// The attribute with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  public static func < (left: AttributeName, right: AttributeName) -> Bool {
    left.rawValue < right.rawValue
  }

  package enum Form: Sendable {
    case text
    case data
    /// Some programs store text here and some bytes; both read back what they stored.
    case textOrData
    case number
    /// 0 or 1.
    case flag
    /// Seconds since 1970.
    case time
  }

  package var form: Form {
    switch self {
    case .service, .label, .description, .comment, .securityDomain, .server, .protocol,
      .authenticationType, .path, .tokenID, .statedAccessibility:
      .text
    case .account, .applicationTag: .textOrData
    case .generic, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash,
      .applicationLabel:
      .data
    case .creator, .type, .port, .certificateType, .certificateEncoding, .keyClass, .keyType,
      .keySizeInBits, .effectiveKeySize:
      .number
    case .isInvisible, .isNegative, .isPermanent, .canEncrypt, .canDecrypt, .canDerive, .canSign,
      .canVerify, .canWrap, .canUnwrap:
      .flag
    case .startDate, .endDate: .time
    }
  }

  /// Apple's name for it (the value of its `kSecAttr…` constant, SecItemConstants.c).
  package var appleName: String {
    switch self {
    case .service: "svce"
    case .account: "acct"
    case .label: "labl"
    case .description: "desc"
    case .comment: "icmt"
    case .creator: "crtr"
    case .type, .keyType: "type"
    case .isInvisible: "invi"
    case .isNegative: "nega"
    case .generic: "gena"
    case .securityDomain: "sdmn"
    case .server: "srvr"
    case .protocol: "ptcl"
    case .authenticationType: "atyp"
    case .port: "port"
    case .path: "path"
    case .certificateType: "ctyp"
    case .certificateEncoding: "cenc"
    case .subject: "subj"
    case .issuer: "issr"
    case .serialNumber: "slnr"
    case .subjectKeyID: "skid"
    case .publicKeyHash: "pkhh"
    case .keyClass: "kcls"
    case .applicationLabel: "klbl"
    case .isPermanent: "perm"
    case .applicationTag: "atag"
    case .keySizeInBits: "bsiz"
    case .effectiveKeySize: "esiz"
    case .canEncrypt: "encr"
    case .canDecrypt: "decr"
    case .canDerive: "drve"
    case .canSign: "sign"
    case .canVerify: "vrfy"
    case .canWrap: "wrap"
    case .canUnwrap: "unwp"
    case .tokenID: "tkid"
    case .startDate: "sdat"
    case .endDate: "edat"
    case .statedAccessibility: "pdmn"
    }
  }
}
