import Cryptography
import Protocol

extension EntryTree {
  /// The XML of KeePass 2.
  static let keePass = EntryTree(
    name: "KeePass 2",
    fits: { $0.name == "KeePassFile" },
    forEachEntry: { (root, visit) throws(Failure) in
      guard let top = root["Root"]?["Group"] else { return }
      let bin = root["Meta"]?.text("RecycleBinUUID") ?? ""
      let all = Surroundings(others: KeePassGroup(top).entriesByIdentifier)
      try KeePassGroup(top).forEachEntry(all, recycleBin: bin, visit)
    },
    rules: Dictionary(
      ["Tags": .shown("tags")],
      ignored: [
        "UUID", "IconID", "CustomIconUUID", "ForegroundColor", "BackgroundColor", "OverrideURL",
        "QualityCheck", "Times", "AutoType", "CustomData", "PreviousParentGroup", "String",
      ],
      custom: [
        "Binary": { file, entry in entry.leaveOut("attachment", named: file.text("Key")) },
        "History": { history, entry in
          for old in history.children {
            entry.take(.hidden("earlier password"), KeePassStrings(old)["Password"])
          }
        },
      ]),
    complete: { branch, surroundings, entry in
      entry.take(keePass: KeePassStrings(branch), surroundings)
    })
}

/// A group with the groups within it.
private struct KeePassGroup {
  private let branch: Branch

  init(_ branch: Branch) { self.branch = branch }

  private var groups: [KeePassGroup] {
    branch.children.filter { $0.name == "Group" }.map { KeePassGroup($0) }
  }
  private var entries: [Branch] { branch.children.filter { $0.name == "Entry" } }

  var entriesByIdentifier: [String: Branch] {
    var found: [String: Branch] = [:]
    for entry in entries {
      guard let bytes = Base64.decoded(entry.text("UUID")) else { continue }
      found[Hexadecimal.text(bytes)] = entry
    }
    for group in groups { found.merge(group.entriesByIdentifier) { first, _ in first } }
    return found
  }

  /// The folder of an entry is its path below the top.
  func forEachEntry(
    _ above: EntryTree.Surroundings, recycleBin: String,
    _ visit: (Branch, EntryTree.Surroundings) throws(Failure) -> Void
  ) throws(Failure) {
    for entry in entries { try visit(entry, above) }
    for group in groups {
      var here = above
      here.folder += (above.folder.isEmpty ? "" : "/") + group.branch.text("Name")
      if !recycleBin.isEmpty, group.branch.text("UUID") == recycleBin { here.state = .deleted }
      try group.forEachEntry(here, recycleBin: recycleBin, visit)
    }
  }
}

/// The texts of an entry, by name.
private struct KeePassStrings {
  let pairs: [(name: String, value: Branch)]

  init(_ entry: Branch) {
    pairs = entry.children.filter { $0.name == "String" }
      .compactMap { pair in pair["Value"].map { (pair.text("Key"), $0) } }
  }

  subscript(name: String) -> Branch? { pairs.first { $0.name == name }?.value }

  func text(_ name: String) -> String { self[name]?.text ?? "" }
}

extension FoundEntry {
  private static let fields: [String: EntryField] = [
    "Title": .title, "UserName": .account, "Password": .password, "URL": .address, "Notes": .notes,
  ]
  /// The letters of fields in references: `{REF:P@I:IDENTIFIER}`.
  private static let letters: [Character: String] = [
    "T": "Title", "U": "UserName", "P": "Password", "A": "URL", "N": "Notes",
  ]

  fileprivate mutating func take(
    keePass strings: KeePassStrings, _ surroundings: EntryTree.Surroundings
  ) {
    let used = takeCodes(keePass: strings)
    for (name, value) in strings.pairs where !used.contains(name) {
      if name.hasPrefix("KPEX_PASSKEY") {
        if name.hasSuffix("RELYING_PARTY") { leaveOut("passkey", named: value.text) }
      } else {
        let field = name.hasPrefix("KP2A_URL") ? .address : Self.fields[name] ?? .hidden(name)
        take(field, Self.meant(by: value, surroundings))
      }
    }
  }

  /// Another entry's text, if this one refers to it.
  private static func meant(
    by value: Branch, _ surroundings: EntryTree.Surroundings
  ) -> Branch {
    let isReference = value.secret.bytes.begins(with: "{REF:")
    guard isReference else { return value }
    let reference = value.text
    guard let letter = reference.dropFirst(5).first, let name = letters[letter],
      reference.dropFirst(6).hasPrefix("@I:"), reference.hasSuffix("}"),
      let other = surroundings.others[reference.dropFirst(9).dropLast().lowercased()],
      let text = KeePassStrings(other)[name]
    else { return value }
    return text
  }

  /// Makes `otpauth:` texts of what KeePass and its extensions store in several parts.
  /// - Returns: the names of the parts.
  private mutating func takeCodes(keePass strings: KeePassStrings) -> Set<String> {
    var used: Set<String> = []
    if let otp = strings["otp"] {
      used.insert("otp")
      takeCode(keyValueText: otp)
    }
    if let seed = strings["TOTP Seed"] {
      used.formUnion(["TOTP Seed", "TOTP Settings"])
      let settings = strings.text("TOTP Settings").split(separator: ";").map(String.init)
      var rest = settings.first.map { "&period=\($0)" } ?? ""
      if settings.count > 1 {
        rest += settings[1] == "S" ? "&encoder=steam" : "&digits=\(settings[1])"
      }
      addCode("totp", key: seed, rest)
    }
    if let key = strings["TimeOtp-Secret-Base32"] {
      used.formUnion([
        "TimeOtp-Secret-Base32", "TimeOtp-Length", "TimeOtp-Period", "TimeOtp-Algorithm",
      ])
      addCode(
        "totp", key: key,
        "&digits=\(strings.text("TimeOtp-Length"))&period=\(strings.text("TimeOtp-Period"))"
          + "&algorithm=\(strings.text("TimeOtp-Algorithm"))")
    }
    if let key = strings["HmacOtp-Secret-Base32"] {
      used.formUnion(["HmacOtp-Secret-Base32", "HmacOtp-Counter"])
      addCode("hotp", key: key, "&counter=\(strings.text("HmacOtp-Counter"))")
    }
    return used
  }

  /// Reads an `otpauth:` text, or `key=…&size=…&step=…` as KeeOtp writes it.
  private mutating func takeCode(keyValueText value: Branch) {
    let held = value.secret
    let source = held.bytes
    guard source.begins(with: "key=") else { return take(.code, value) }
    var text = WireEncoder(capacity: 512)
    text.append("otpauth://totp/?")
    let names = [
      "key": "secret", "size": "digits", "step": "period", "otphashmode": "algorithm",
      "encoder": "encoder",
    ]
    var start = 0
    while start < source.count {
      let part = (start..<source.count).prefix { source[$0] != UInt8(ascii: "&") }
      start = part.upperBound + 1
      let name = part.prefix { source[$0] != UInt8(ascii: "=") }
      guard let known = names[source.extracting(name).text?.lowercased() ?? ""] else { continue }
      text.append("&\(known)")
      text.writeRaw(source.extracting(name.upperBound..<part.upperBound))
    }
    codes.append(HeldSecret(text.finish()))
  }

  private mutating func addCode(_ kind: String, key: Branch, _ rest: String) {
    var text = WireEncoder(capacity: 512)
    text.append("otpauth://\(kind)/?secret=")
    let secret = key.secret
    text.writeRaw(secret.bytes)
    text.append(rest)
    codes.append(HeldSecret(text.finish()))
  }
}

extension WireEncoder {
  fileprivate mutating func append(_ text: String) { writeRaw(Array(text.utf8).span) }
}
