/// The address of a login, reduced to what distinguishes items.
///
/// It is read strictly, so that nothing is filed under a server that a browser would not go to.
package struct WebAddress: Equatable, Sendable {
  /// Nil for a bare host name.
  package let scheme: InternetProtocol?
  /// In lower case.
  package let host: String
  package let port: UInt16?
  /// Empty for `/`.
  package let path: String
  /// Whether the address also has a query or a fragment.
  package let saysMore: Bool

  /// Reads `scheme://host[:port][/path][?query][#fragment]`, or `host[:port][/path]` with a dot in
  /// the name. No user name, no spaces, no control characters, no characters that steer a line, no
  /// percent signs in the host.
  package init?(_ text: String) {
    guard !text.unicodeScalars.contains(where: Self.isRefused) else { return nil }
    var rest = Substring(text)
    if let end = Self.schemeEnd(in: text) {
      guard let scheme = InternetProtocol(name: String(text[..<end])) else { return nil }
      self.scheme = scheme
      rest = text[text.index(end, offsetBy: 3)...]
    } else {
      scheme = nil
    }
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let (host, port) = Self.hostAndPort(authority) else { return nil }
    if scheme == nil, !host.contains(".") || Self.isNumber(host) { return nil }
    (self.host, self.port) = (host, port)
    rest = rest[authority.endIndex...]
    let path = rest.prefix { !"?#".contains($0) }
    self.path = path == "/" ? "" : String(path)
    saysMore = path.endIndex != rest.endIndex
  }

  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\\" || scalar == "\"" || scalar == "<" || scalar == ">"
      || scalar.properties.isWhitespace || scalar.properties.isBidiControl
      || scalar.properties.generalCategory == .control
  }

  /// The position of `://` behind letters, digits, `+`, `-` and `.` (RFC 3986 §3.1).
  private static func schemeEnd(in text: String) -> String.Index? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return text[scheme.endIndex...].hasPrefix("://") ? scheme.endIndex : nil
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: UInt16?)? {
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      let digits = authority[authority.index(after: authority.startIndex)..<end]
      guard digits.count >= 2, digits.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { return nil }
      let host = authority[...end].lowercased()
      let rest = authority[authority.index(after: end)...]
      if rest.isEmpty { return (host, nil) }
      guard rest.hasPrefix(":"), let port = port(rest.dropFirst()) else { return nil }
      return (host, port)
    }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, isHostName(name), parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return (name.lowercased(), nil) }
    guard let port = port(parts[1]) else { return nil }
    return (name.lowercased(), port)
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0
    else { return nil }
    return port
  }

  /// Labels of letters, digits, `-` and `_`, of any script, with dots between them.
  private static func isHostName(_ text: Substring) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty && label.first != "-" && label.last != "-"
        && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
  }

  /// Whether it is a version or an amount instead of a name; an IPv4 address has three dots.
  private static func isNumber(_ host: String) -> Bool {
    host.allSatisfy { $0.isNumber || $0 == "." } && host.count { $0 == "." } != 3
  }
}

/// The protocols that an address or another keychain may name, with Apple's codes
/// (`kSecAttrProtocol`).
package enum InternetProtocol: String, CaseIterable, Sendable {
  case http, https, ftp, ftps, ssh, imap, imaps, pop3, pop3s, smtp, ldap, ldaps, smb, afp, telnet
  case nntp, nntps, irc, ircs, ipp, rtsp, socks

  package var code: String {
    switch self {
    case .http, .ftps, .imap, .ldap, .pop3, .smtp, .nntp, .rtsp: rawValue
    case .https: "htps"
    case .ftp, .ssh, .smb, .afp, .irc, .ipp: rawValue + " "
    case .imaps: "imps"
    case .pop3s: "pops"
    case .ldaps: "ldps"
    case .telnet: "teln"
    case .nntps: "ntps"
    case .ircs: "ircs"
    case .socks: "sox "
    }
  }

  /// The protocol of a scheme, or of another keychain's name for it.
  package init?(name: String) {
    let name = name.lowercased()
    switch name {
    case "sftp", "git+ssh", "ssh+git": self = .ssh
    case "cifs": self = .smb
    default: self.init(rawValue: name)
    }
  }

  /// The protocol with these four characters.
  package init?(code: String) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }

  package var isWeb: Bool { self == .http || self == .https }
}
