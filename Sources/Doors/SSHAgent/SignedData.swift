import Protocol

/// What the bytes of a sign request are, by their form.
enum SignedData: Equatable, Sendable {
  /// A login (RFC 4252 §7, and OpenSSH's `publickey-hostbound-v00@openssh.com`).
  struct Login: Equatable, Sendable {
    let session: [UInt8]
    /// For show: cut, and with replacements for what is no UTF-8.
    let user: String
    /// The server's key, which only the newer method names; as it came if it is of no known type.
    let hostKey: [UInt8]?
  }

  case login(Login)
  /// It begins like a login but cannot be read as one. A server may still accept it.
  case brokenLogin
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
    if Self.beginsAsLogin(data) {
      self = (try? Self.login(data, point)).map(Self.login) ?? .brokenLogin
    } else if let namespace = try? Self.namespace(of: data) {
      self = .file(namespace: namespace)
    } else {
      var decoder = WireDecoder(data.span)
      let type = try? decoder.readText(limit: 64)
      self = type?.hasSuffix("-cert-v01@openssh.com") == true ? .certificate : .other
    }
  }

  private static func beginsAsLogin(_ data: [UInt8]) -> Bool {
    var decoder = WireDecoder(data.span)
    return (try? decoder.readSpan(limit: AgentMessage.longest)) != nil
      && (try? decoder.readByte()) == loginRequest
  }

  /// A server bounds no field but by the whole message, and so does this.
  private static func login(_ data: [UInt8], _ point: [UInt8]) throws(DecodeError) -> Login {
    let limit = AgentMessage.longest
    var decoder = WireDecoder(data.span)
    let session = try decoder.readBytes(limit: limit)
    try decoder.read(number: loginRequest)
    let user = try decoder.readBytes(limit: limit)
    guard try decoder.readText(limit: 64) == "ssh-connection" else {
      throw .invalidValue(field: "service")
    }
    let method = try decoder.readText(limit: 64)
    let isHostBound = method == "publickey-hostbound-v00@openssh.com"
    guard isHostBound || method == "publickey", try decoder.readByte() == 1 else {
      throw .invalidValue(field: "method")
    }
    // The algorithm.
    _ = try decoder.readSpan(limit: limit)
    let key = try PublicKeyBlob(decoder.readBytes(limit: limit))
    guard key.p256Point == point else { throw .invalidValue(field: "key") }
    let host = isHostBound ? try decoder.readBytes(limit: limit) : nil
    try decoder.finish()
    return Login(
      session: session, user: String(decoding: user.prefix(longestName), as: UTF8.self),
      hostKey: host.map { (try? PublicKeyBlob($0))?.plain ?? $0 })
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
    case .login, .brokenLogin: "login"
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
