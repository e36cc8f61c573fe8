import Protocol

/// What the bytes of a sign request are, by their form.
enum SignedData: Equatable, Sendable {
  /// A login (RFC 4252 §7, and OpenSSH's `publickey-hostbound-v00@openssh.com`).
  struct Login: Equatable, Sendable {
    let session: [UInt8]
    let user: String
    /// The server's key, which only the newer method names.
    let hostKey: [UInt8]?
  }

  case login(Login)
  /// OpenSSH's form of signed files and commits, of this namespace.
  case file(namespace: String)
  case certificate
  case other

  private static let loginRequest: UInt8 = 50
  private static let longestName = 1024

  /// - Parameters:
  ///   - data: what is to be signed.
  ///   - point: the P-256 point of the key that is to sign; a login names it too.
  init(_ data: [UInt8], signedBy point: [UInt8]) {
    if let login = try? Self.login(data, point) {
      self = .login(login)
    } else if let namespace = try? Self.namespace(of: data) {
      self = .file(namespace: namespace)
    } else {
      var decoder = WireDecoder(data.span)
      let type = try? decoder.readText(limit: 64)
      self = type?.hasSuffix("-cert-v01@openssh.com") == true ? .certificate : .other
    }
  }

  private static func login(_ data: [UInt8], _ point: [UInt8]) throws(DecodeError) -> Login {
    var decoder = WireDecoder(data.span)
    let session = try decoder.readBytes(limit: longestName)
    try decoder.read(number: loginRequest)
    let user = try decoder.readText(limit: longestName)
    guard try decoder.readText(limit: 64) == "ssh-connection" else {
      throw .invalidValue(field: "service")
    }
    let method = try decoder.readText(limit: 64)
    let isHostBound = method == "publickey-hostbound-v00@openssh.com"
    guard isHostBound || method == "publickey", try decoder.readByte() == 1 else {
      throw .invalidValue(field: "method")
    }
    // The algorithm.
    _ = try decoder.readText(limit: 64)
    let key = try PublicKeyBlob(decoder.readBytes(limit: AgentMessage.longest))
    guard key.p256Point == point else { throw .invalidValue(field: "key") }
    let hostKey =
      isHostBound ? try PublicKeyBlob(decoder.readBytes(limit: AgentMessage.longest)).plain : nil
    try decoder.finish()
    return Login(session: session, user: user, hostKey: hostKey)
  }

  private static func namespace(of data: [UInt8]) throws(DecodeError) -> String {
    let magic = Array("SSHSIG".utf8)
    guard data.starts(with: magic) else { throw .invalidValue(field: "magic") }
    var decoder = WireDecoder(data.span.extracting(droppingFirst: magic.count))
    let namespace = try decoder.readText(limit: longestName)
    // Reserved, the hash function's name, the hash.
    for _ in 0..<3 { _ = try decoder.readSpan(limit: longestName) }
    try decoder.finish()
    return namespace
  }

  /// As the log names it.
  var purpose: String {
    switch self {
    case .login: "login"
    case .file: "sshsig"
    case .certificate, .other: "other"
    }
  }

  /// The account of a login.
  var user: String? {
    if case .login(let login) = self { login.user } else { nil }
  }

  var namespace: String? {
    if case .file(let namespace) = self { namespace } else { nil }
  }
}
