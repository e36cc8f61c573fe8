import CoreClient

extension FoundEntry {
  /// Moves what may hold secrets out of what lists show, into the details. The addresses stay, for
  /// the server of the first one.
  ///
  /// An item that was exported here was in lists already, and comes back as it was.
  mutating func hideSecrets() {
    guard exact == nil else { return }
    let first = addresses.first ?? ""
    let isTitleHidden = Self.mentionsSecrets(title)
    let isFirstHidden = WebAddress(first) == nil && Self.mayHoldSecrets(first)
    if isTitleHidden || title.isEmpty && isFirstHidden {
      let name = isTitleHidden ? title : first
      if isTitleHidden { addDetail("title", title) }
      title = Self.server(in: name) ?? Self.server(in: first) ?? origin
    }
    for account in accounts + emails where Self.mentionsSecrets(account) {
      addDetail("user", account)
    }
    accounts.removeAll(where: Self.mentionsSecrets)
    emails.removeAll(where: Self.mentionsSecrets)
    for (name, value) in remarks where Self.mentionsSecrets(value) { addDetail(name, value) }
    remarks.removeAll { Self.mentionsSecrets($0.value) }
    let isNameless = title.isEmpty && accounts.isEmpty && emails.isEmpty && addresses.isEmpty
    if isNameless { title = origin }
  }

  /// An address may hold a token in its query or fragment, a password before the server, or a key
  /// of one-time passwords. A fragment that begins with `/` is the path of a web application.
  static func mayHoldSecrets(_ address: String) -> Bool {
    let start = address.lowercased()
    if address.contains("?") || start.hasPrefix("otpauth") || start.hasPrefix("steam:") {
      return true
    }
    if let mark = address.firstIndex(of: "#") {
      let fragment = address[mark...].dropFirst()
      if !fragment.hasPrefix("/") || fragment.contains("=") || fragment.contains("#") {
        return true
      }
    }
    guard address.contains("@"), WebAddress(address) == nil else { return false }
    // Chrome names an app with a hash of its signature.
    let app = "android://"
    return !address.hasPrefix(app) || address.dropFirst(app.count).contains(":")
  }

  /// Whether a text has an address in it that may hold secrets.
  static func mentionsSecrets(_ text: String) -> Bool {
    guard let mark = text.firstRange(of: "://") else { return false }
    let scheme = text[..<mark.lowerBound].reversed().prefix { !$0.isWhitespace }.count
    return mayHoldSecrets(String(text[text.index(mark.lowerBound, offsetBy: -scheme)...]))
  }

  /// The server in an address that is no ``WebAddress`` because of what stands before the server.
  private static func server(in address: String) -> String? {
    guard let mark = address.firstRange(of: "://"),
      InternetProtocol(name: String(address[..<mark.lowerBound])) != nil
    else { return nil }
    let authority = address[mark.upperBound...].prefix { !"/?#".contains($0) }
    return authority.split(separator: "@").last.flatMap { WebAddress("https://\($0)")?.host }
  }
}
