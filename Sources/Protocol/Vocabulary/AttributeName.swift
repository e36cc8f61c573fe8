/// What an item can be described by, beside what every item has (`kSecAttr…`). The raw value is what
/// crosses walls and is stored.
public enum AttributeName: UInt8, CaseIterable, Comparable, WireField {
  case service = 1
  case account = 2
  case label = 3
  case description = 4
  case comment = 5
  case creator = 6
  case type = 7
  case isInvisible = 8
  case isNegative = 9
  case generic = 10
  case securityDomain = 11
  case server = 12
  case `protocol` = 13
  case authenticationType = 14
  case port = 15
  case path = 16
  case certificateType = 17
  case certificateEncoding = 18
  case subject = 19
  case issuer = 20
  case serialNumber = 21
  case subjectKeyID = 22
  case publicKeyHash = 23
  case keyClass = 24
  case applicationLabel = 25
  case isPermanent = 26
  case applicationTag = 27
  case keyType = 28
  case keySizeInBits = 29
  case effectiveKeySize = 30
  case canEncrypt = 31
  case canDecrypt = 32
  case canDerive = 33
  case canSign = 34
  case canVerify = 35
  case canWrap = 36
  case canUnwrap = 37
  case tokenID = 38
  case startDate = 39
  case endDate = 40
  /// When an application said that the item can be reached, where that is a class that Apple has
  /// deprecated: `dk` or `dku`, as its constants are. The item's own class is what protects it.
  case statedAccessibility = 41

  /// As the command line takes it, JSON shows it and the enclave hashes it.
  package var name: String { Self.namesByNumber[Int(rawValue)] }

  /// Made once: asking the runtime for the name of a case is slow, and lists of many items ask often.
  private static let namesByNumber: [String] = {
    let longest = allCases.map { Int($0.rawValue) }.max() ?? 0
    var names = [String](repeating: "", count: longest + 1)
    for name in allCases { names[Int(name.rawValue)] = "\(name)" }
    return names
  }()

  /// Whether people name it. What only libraries say of items they read back to programs.
  package var isForPeople: Bool { self != .statedAccessibility }

  /// How many there are.
  package static let count = allCases.count

  /// The attribute with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// By their raw values.
  public static func < (left: AttributeName, right: AttributeName) -> Bool {
    left.rawValue < right.rawValue
  }

  /// What an attribute may hold.
  package enum Form: Sendable {
    case text
    case data
    /// Some programs use text here and some bytes; what was put in comes out.
    case textOrData
    case number
    /// 0 or 1.
    case flag
    /// Seconds since 1970.
    case time
  }

  /// What this one holds.
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
