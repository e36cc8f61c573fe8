/// The protocols that an address or another keychain may name, and how Apple's items name them
/// (`kSecAttrProtocol`).
package enum InternetProtocol: String, CaseIterable, Sendable {
  case http, https, ftp, ftps, ssh, imap, imaps, pop3, pop3s, smtp, ldap, ldaps, smb, afp, telnet
  case nntp, nntps, irc, ircs, ipp, rtsp, socks

  /// Four characters.
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

  /// The one that a scheme or another keychain's word means.
  package init?(name: String) {
    let name = name.lowercased()
    switch name {
    case "sftp", "git+ssh", "ssh+git": self = .ssh
    case "cifs": self = .smb
    default: self.init(rawValue: name)
    }
  }

  /// The one with these four characters.
  package init?(code: String) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }

  /// Whether people log in there in a browser.
  package var isWeb: Bool { self == .http || self == .https }
}
