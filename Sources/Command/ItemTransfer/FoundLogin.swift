import CoreClient
import Protocol

/// A login or note of another program, before it is turned into items.
///
/// What no attribute fits goes to the comment. A text that is too long for a comment becomes a
/// note. The secret of one-time passwords becomes an item, because comments are shown in lists.
struct FoundLogin: ~Copyable {
  /// Where it was found, for people.
  let origin: String
  var isNote = false
  var title = ""
  var account = ""
  /// Unchanged. The login is used at the first.
  var addresses: [String] = []
  /// The realm of HTTP authentication.
  var realm = ""
  /// Values that no attribute fits.
  var remarks: [(name: String, value: String)] = []
  var password = SecretBytes(count: 0)
  var notes = SecretBytes(count: 0)
  var oneTimePassword = SecretBytes(count: 0)
  /// Attributes that are stated exactly, and replace the guesses.
  var exact: ExactAttributes?

  init(origin: String) { self.origin = origin }

  /// Decodes hexadecimal digits. Other text stays.
  mutating func decodeSecret() {
    if isNote {
      if let secret = Hexadecimal.secret(notes.bytes) { notes = secret }
    } else if let secret = Hexadecimal.secret(password.bytes) {
      password = secret
    }
  }

  /// Gives its items to `receiver`.
  consuming func give(to receiver: any ImportReceiver) throws(Failure) {
    let origin = origin
    guard let problem = problem else { return try giveItems(to: receiver) }
    receiver.skip(SkippedEntry(origin: origin, reason: problem))
  }

  /// Why it gives no item.
  private var problem: String? {
    guard title.isEmpty, account.isEmpty, addresses.isEmpty, exact == nil else { return nil }
    let isEmpty = notes.count + password.count + oneTimePassword.count == 0
    return isEmpty ? "it is empty" : "it has neither a name nor an address"
  }

  private consuming func giveItems(to receiver: any ImportReceiver) throws(Failure) {
    let address = addresses.first.flatMap { WebAddress($0) }
    keepInRemarks(address)
    if isNote || isOnlyText {
      swap(&password, &notes)
      notes = SecretBytes(count: 0)
      isNote = true
    }
    var attributes = exact.map { $0.attributes(of: self, address) } ?? attributes(address)
    guard let comment = comment() else {
      let reason = "its notes are longer than \(largestItemSecret) bytes"
      return receiver.skip(SkippedEntry(origin: origin, reason: reason))
    }
    var longText: SecretBytes?
    if comment.count <= AttributeValue.longestText, let text = comment.text {
      attributes.values[text: .comment] = text
    } else {
      longText = consume comment
    }
    exact?.complete(&attributes)
    let name = attributes.label
    let place = address?.host ?? title
    let (origin, account) = (origin, account)
    let oneTimePassword = oneTimePassword
    try receiver.takeIfItFits(
      ImportedItem(attributes: attributes, secret: password, origin: origin))
    if let longText {
      var note = ItemAttributes()
      note.itemClass = .note
      (note.service, note.account, note.label) = (place, account, name)
      try receiver.takeIfItFits(
        ImportedItem(attributes: note, secret: longText, origin: origin + ", its notes"))
    }
    guard oneTimePassword.count > 0 else { return }
    var maker = ItemAttributes()
    (maker.service, maker.account, maker.label) = (
      ItemAttributes.oneTimeService + place, account, name
    )
    maker.values[text: .description] = "one-time password"
    try receiver.takeIfItFits(
      ImportedItem(
        attributes: maker, secret: oneTimePassword, origin: origin + ", its one-time password"))
  }

  /// Whether it has only notes and a name.
  private var isOnlyText: Bool {
    exact == nil && notes.count > 0 && password.count + oneTimePassword.count == 0
      && account.isEmpty && addresses.isEmpty
  }

  /// Keeps what addresses say beyond the attributes.
  private mutating func keepInRemarks(_ address: WebAddress?) {
    for (index, text) in addresses.enumerated() where !text.isEmpty {
      if index == 0, let address, !address.saysMore,
        address.path.utf8.count <= AttributeValue.longestText
      {
        continue
      }
      remarks.append(("url", text))
    }
    if address == nil || address?.scheme?.isWeb == false, !realm.isEmpty {
      remarks.append(("realm", realm))
    }
  }

  private func attributes(_ address: WebAddress?) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.account = account
    attributes.label = title.isEmpty ? address?.host ?? account : title
    if isNote {
      attributes.itemClass = .note
    } else if let address {
      attributes.itemClass = .internet
      address.fill(&attributes)
      if address.scheme?.isWeb == true {
        // As Safari stores them (kSecAttrAuthenticationTypeHTMLForm, HTTPBasic).
        attributes.values[.authenticationType] = .text(realm.isEmpty ? "form" : "http")
        if !realm.isEmpty { attributes.values[.securityDomain] = .text(realm) }
      }
    } else {
      attributes.service = title.isEmpty ? addresses.first ?? "" : title
    }
    return attributes
  }

  /// The notes, and a line for each remark.
  /// - Returns: nil if that is more than an item holds.
  private func comment() -> SecretBytes? {
    let room = remarks.reduce(notes.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    var text = SecretText(limit: min(largestItemSecret, room))
    text.append(notes.bytes)
    for (index, remark) in remarks.enumerated() where !remark.value.isEmpty {
      if text.count > 0 { text.append(index == 0 ? "\n\n" : "\n") }
      text.append(remark.name.isEmpty ? remark.value : "\(remark.name): \(remark.value)")
    }
    if text.isCut { return nil }
    return text.finish()
  }
}

extension WebAddress {
  func fill(_ attributes: inout ItemAttributes) {
    attributes.server = host
    if let scheme { attributes.values[.protocol] = .text(scheme.code) }
    if let port { attributes.values[.port] = .number(Int64(port)) }
    if !path.isEmpty, path.utf8.count <= AttributeValue.longestText {
      attributes.values[.path] = .text(path)
    }
  }

  /// The address of these attributes; nil if parsing it would give other attributes.
  init?(of attributes: ItemAttributes) {
    guard !attributes.server.isEmpty, case .text(let code)? = attributes.values[.protocol],
      let scheme = InternetProtocol(code: code)
    else { return nil }
    var text = "\(scheme.rawValue)://\(attributes.server)"
    if case .number(let port)? = attributes.values[.port] { text += ":\(port)" }
    if case .text(let path)? = attributes.values[.path] { text += path }
    guard let address = WebAddress(text) else { return nil }
    var again = ItemAttributes()
    address.fill(&again)
    let names: [AttributeName] = [.server, .protocol, .port, .path]
    guard names.allSatisfy({ again.values[$0] == attributes.values[$0] }) else { return nil }
    self = address
  }

  var text: String {
    (scheme.map { "\($0.rawValue)://" } ?? "") + host + (port.map { ":\($0)" } ?? "") + path
  }
}
