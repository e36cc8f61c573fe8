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
      // A group has a name and notes, an entry has them among its strings.
      ["Tags": .shown("tags"), "Name": .title, "Notes": .notes],
      ignored: [
        "UUID", "IconID", "CustomIconUUID", "ForegroundColor", "BackgroundColor", "QualityCheck",
        "Times", "AutoType.Enabled", "AutoType.DataTransferObfuscation", "PreviousParentGroup",
        "String", "History", "Group", "Entry", "IsExpanded", "EnableAutoType", "EnableSearching",
        "LastTopVisibleEntry",
      ],
      custom: [
        "Binary": { file, entry in entry.leaveOut("attachment", named: file.text("Key")) },
        "CustomData": { list, entry in
          for item in list.children { entry.take(.hidden(item.text("Key")), item["Value"]) }
        },
      ]),
    complete: { branch, surroundings, entry in
      if branch.name == "Group" { entry.isNote = true }
      let strings = KeePassStrings(branch)
      entry.take(keePass: strings, surroundings)
      entry.takeEarlierTexts(keePass: branch["History"], strings, surroundings)
      entry.nameEarlierAttachments(keePass: branch)
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

  /// Whether it is more than a folder.
  private var saysMore: Bool {
    ["Notes", "Tags", "DefaultAutoTypeSequence"].contains { branch[$0]?.hasText == true }
      || branch["CustomData"]?.children.isEmpty == false
  }

  /// The folder of an entry is its path below the top. A group that says more is an entry too.
  func forEachEntry(
    _ above: EntryTree.Surroundings, recycleBin: String,
    _ visit: (Branch, EntryTree.Surroundings) throws(Failure) -> Void
  ) throws(Failure) {
    if saysMore { try visit(branch, above) }
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
struct KeePassStrings {
  let pairs: [(name: String, value: Branch)]

  init(_ entry: Branch) {
    pairs = entry.children.filter { $0.name == "String" }
      .compactMap { pair in pair["Value"].map { (pair.text("Key"), $0) } }
  }

  subscript(name: String) -> Branch? { pairs.first { $0.name == name }?.value }

  func text(_ name: String) -> String { self[name]?.text ?? "" }

  /// A key of one-time passwords in base32. KeePass writes it in one of four ways.
  /// - Returns: nil if there is none, or it cannot be read.
  func key(_ name: String) -> (name: String, key: HeldSecret)? {
    if let value = self[name + "-Base32"] { return (name + "-Base32", HeldSecret(value.secret)) }
    if let value = self[name] { return (name, HeldSecret(Base32.encoded(value.secret))) }
    if let value = self[name + "-Hex"] {
      let digits = value.secret
      guard let key = Hexadecimal.secret(digits.bytes) else { return nil }
      return (name + "-Hex", HeldSecret(Base32.encoded(key)))
    }
    guard let value = self[name + "-Base64"] else { return nil }
    let digits = value.secret
    let padding = digits.bytes.indices.reversed().prefix { digits.bytes[$0] == UInt8(ascii: "=") }
    guard
      let key = Base64.decoded(
        unpadded: digits.bytes.extracting(0..<digits.count - padding.count))
    else { return nil }
    return (name + "-Base64", HeldSecret(Base32.encoded(key)))
  }
}

/// Base32 (RFC 4648 §6), without padding.
private enum Base32 {
  static func encoded(_ bytes: consuming SecretBytes) -> SecretBytes {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var encoded = WireEncoder(capacity: bytes.count * 8 / 5 + 1)
    var (bits, held): (UInt32, UInt32) = (0, 0)
    for index in 0..<bytes.count {
      (bits, held) = (bits << 8 | UInt32(bytes.bytes[index]), held + 8)
      while held >= 5 {
        held -= 5
        encoded.writeByte(alphabet[Int(bits >> held & 31)])
      }
    }
    if held > 0 { encoded.writeByte(alphabet[Int(bits << (5 - held) & 31)]) }
    return encoded.finish()
  }
}

extension FoundEntry {
  static let keePassFields: [String: EntryField] = [
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
    // KeePass sorts by name, so that its own address is behind those of plugins.
    let own = strings.pairs.filter { Self.keePassFields[$0.name] != nil }
    let added = strings.pairs.filter { Self.keePassFields[$0.name] == nil }
    for (name, value) in own + added where !used.contains(name) {
      if name.hasPrefix("KPEX_PASSKEY") {
        if name.hasSuffix("RELYING_PARTY") { leaveOut("passkey", named: value.text) }
      } else {
        let field =
          name.hasPrefix("KP2A_URL") ? .address : Self.keePassFields[name] ?? .hidden(name)
        take(field, Self.meant(by: value, surroundings))
      }
    }
  }

  /// Another entry's text, if this one refers to it.
  static func meant(
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
      let last = settings.dropFirst().first ?? ""
      let form = last == "S" ? ("encoder", "steam") : ("digits", last)
      addCode("totp", key: seed.secret, [("period", settings.first ?? ""), form])
    }
    for (kind, prefix) in [("totp", "TimeOtp-"), ("hotp", "HmacOtp-")] {
      guard let (name, key) = strings.key(prefix + "Secret") else { continue }
      let parts = [
        ("digits", "Length"), ("period", "Period"), ("algorithm", "Algorithm"),
        ("counter", "Counter"),
      ].map { ($0, prefix + $1) }
      used.formUnion([name] + parts.map { $1 })
      addCode(kind, key: key.bytes.duplicate(), parts.map { ($0, strings.text($1)) })
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

  private mutating func addCode(
    _ kind: String, key: consuming SecretBytes, _ parts: [(name: String, value: String)]
  ) {
    var text = WireEncoder(capacity: 512)
    text.append("otpauth://\(kind)/?secret=")
    text.writeRaw(key.bytes)
    for (name, value) in parts where !value.isEmpty { text.append("&\(name)=\(value)") }
    codes.append(HeldSecret(text.finish()))
  }
}

extension WireEncoder {
  fileprivate mutating func append(_ text: String) { writeRaw(Array(text.utf8).span) }
}
