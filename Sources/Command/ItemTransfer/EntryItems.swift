import CoreClient
import Protocol

extension FoundEntry {
  /// Gives its items to `receiver`, and names what is left out.
  consuming func give(to receiver: any ImportReceiver) throws(Failure) {
    guard !isNothing else { return }
    let (origin, leftOut) = (origin, leftOut)
    if let problem {
      receiver.skip(SkippedEntry(origin: origin, reason: problem))
    } else {
      let state = state
      try receiver.takeWhatFits(ImportedEntry(items(), state))
    }
    for thing in leftOut {
      receiver.skip(SkippedEntry(origin: origin, reason: "no item holds its \(thing)"))
    }
  }

  /// Why it gives no item.
  private var problem: String? {
    guard title.isEmpty, accounts.isEmpty, emails.isEmpty, addresses.isEmpty, exact == nil else {
      return nil
    }
    let isEmpty = notes.count + password.count + details.count + codes.count == 0
    return isEmpty ? "it is empty" : "it has neither a name nor an address"
  }

  private consuming func items() -> [ImportedItem] {
    hideSecrets()
    let address = addresses.first.flatMap { WebAddress($0) }
    if accounts.isEmpty, !emails.isEmpty, !isNote { accounts.append(emails.removeFirst()) }
    let (hasText, isBare) = (notes.count + details.count > 0, accounts.isEmpty && addresses.isEmpty)
    // A row with a text and a name alone is a note, whatever the program calls it.
    if exact == nil, isBare, password.count == 0, codes.isEmpty, hasText { isNote = true }
    markState()
    keepBeside(address)
    var attributes = exact.map { $0.attributes(of: self, address) } ?? attributes(address)
    attributes.values[text: .comment] = comment()
    exact?.complete(&attributes)
    let isCodeAlone =
      exact == nil && isBare && !isNote && password.count == 0 && !codes.isEmpty && realm.isEmpty
    let (origin, isNote, codes) = (origin, isNote, codes)
    let place = address?.host ?? title
    var items: [ImportedItem] = []
    if !isNote, !isCodeAlone {
      let password = password.duplicate()
      items.append(ImportedItem(attributes: attributes, secret: password, origin: origin))
    }
    let text = takingText()
    if isNote {
      items.append(ImportedItem(attributes: attributes, secret: text, origin: origin))
    } else if text.count > 0 {
      var note = ItemAttributes()
      note.itemClass = .note
      note.service = ItemAttributes.notesService + place
      (note.account, note.label) = (attributes.account, attributes.label + ", notes")
      items.append(ImportedItem(attributes: note, secret: text, origin: origin + ", its notes"))
    }
    for (index, code) in codes.enumerated() {
      var maker = ItemAttributes()
      maker.service = ItemAttributes.oneTimeService + place + (index == 0 ? "" : " #\(index + 1)")
      (maker.account, maker.label) = (attributes.account, attributes.label)
      maker.values[text: .description] = "one-time password"
      items.append(
        ImportedItem(
          attributes: maker, secret: code.bytes.duplicate(),
          origin: origin + ", its one-time password"))
    }
    return items
  }

  private mutating func markState() {
    switch state {
    case .active: break
    case .archived: remarks.append(("state", "archived"))
    case .deleted: remarks.append(("state", "in the recycle bin"))
    }
  }

  /// Keeps what the attributes have no place for: in the comment what lists may show, else in the
  /// details.
  private mutating func keepBeside(_ address: WebAddress?) {
    for (index, text) in addresses.enumerated() where !text.isEmpty {
      let isSaid =
        index == 0 && !isNote && address.map { !$0.saysMore && $0.fitsAttributes } == true
      if !isSaid { keepBeside("url", text, isShown: !Self.mayHoldSecrets(text)) }
    }
    for account in accounts.dropFirst() { keepBeside("user", account) }
    for email in emails { keepBeside("email", email) }
    if address?.scheme?.isWeb != true, !realm.isEmpty {
      keepBeside("realm", realm, isShown: !Self.mentionsSecrets(realm))
    }
    if isNote {
      let password = password.duplicate()
      addDetail("password", password.bytes)
    }
    // A comment that is too long is no comment. An export's comment stands among the notes.
    if exact != nil, !isNote {
      let text = takingComment()
      if let text { remarks.insert(("", text), at: 0) }
    }
    guard comment().utf8.count > AttributeValue.longestText else { return }
    for (name, value) in remarks { addDetail(name, value) }
    remarks = []
  }

  private mutating func keepBeside(_ name: String, _ value: String, isShown: Bool = true) {
    if isShown, !isNote { remarks.append((name, value)) } else { addDetail(name, value) }
  }

  /// The notes, if they are the comment of an item that was exported here.
  private mutating func takingComment() -> String? {
    guard notes.count > 0, notes.count <= AttributeValue.longestText, let text = notes.text else {
      return nil
    }
    notes = SecretBytes(count: 0)
    return text
  }

  /// A line for each remark.
  private func comment() -> String {
    remarks.filter { !$0.value.isEmpty }
      .map { $0.name.isEmpty ? $0.value : "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  /// The notes, an empty line, and the details.
  private consuming func takingText() -> SecretBytes {
    guard details.count > 0 else { return notes.duplicate() }
    var text = WireEncoder(capacity: notes.count + details.count + 1)
    text.writeRaw(notes.bytes)
    let hasNotes = notes.count > 0
    let lines = takingDetails()
    if hasNotes { text.writeRaw(Array("\n".utf8).span) }
    text.writeRaw(lines.bytes.extracting(droppingFirst: hasNotes ? 0 : 1))
    return text.finish()
  }

  private func attributes(_ address: WebAddress?) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.account = accounts.first ?? ""
    attributes.label = title.isEmpty ? address?.host ?? attributes.account : title
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
}

extension WebAddress {
  /// Whether the path is short enough for an attribute.
  fileprivate var fitsAttributes: Bool { path.utf8.count <= AttributeValue.longestText }

  func fill(_ attributes: inout ItemAttributes) {
    attributes.server = host
    if let scheme { attributes.values[.protocol] = .text(scheme.code) }
    if let port { attributes.values[.port] = .number(Int64(port)) }
    if !path.isEmpty, fitsAttributes { attributes.values[.path] = .text(path) }
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
