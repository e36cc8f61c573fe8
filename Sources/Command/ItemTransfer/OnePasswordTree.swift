import Protocol

extension EntryTree {
  /// The `export.data` of a 1PUX archive.
  static let onePassword = EntryTree(
    name: "1Password",
    fits: { $0["accounts"]?.children.first?["vaults"] != nil },
    forEachEntry: { (root, visit) throws(Failure) in
      for account in root["accounts"]?.children ?? [] {
        for vault in account["vaults"]?.children ?? [] {
          for found in vault["items"]?.children ?? [] {
            let item = found["item"] ?? found
            let state: EntryState =
              item.text("state") == "archived"
              ? .archived
              : item.text("state") == "deleted" || item.text("trashed") == "true"
                ? .deleted : .active
            try visit(item, Surroundings(folder: vault.text("attrs", "name"), state: state))
          }
        }
      }
    },
    rules: Dictionary(
      [
        "overview.title": .title, "overview.tags": .shown("tag"), "details.notesPlain": .notes,
        "details.password": .password,
      ],
      ignored: [
        "uuid", "favIndex", "createdAt", "updatedAt", "state", "trashed", "categoryUuid",
        "overview.subtitle", "overview.ainfo", "overview.ps", "overview.pbe", "overview.pgrng",
        "overview.icons", "overview.watchtowerExclusions", "overview.urls", "overview.url",
        "details.loginFields", "details.sections", "details.htmlForm", "details.formSignature",
      ],
      custom: [
        "details.passwordHistory": { list, entry in
          for old in list.children { entry.take(.hidden("earlier password"), old["value"]) }
        },
        "details.passkey": { _, entry in entry.leaveOut("passkey", named: "") },
        "details.documentAttributes": { file, entry in
          entry.leaveOut("attachment", named: file.text("fileName"))
        },
      ]),
    complete: { item, _, entry in
      entry.takeAddresses(onePassword: item["overview"])
      for field in item["details"]?["loginFields"]?.children ?? [] {
        entry.take(onePassword: field)
      }
      for section in item["details"]?["sections"]?.children ?? [] {
        for field in section["fields"]?.children ?? [] { entry.take(onePassword: field, section) }
      }
      entry.takeKind(onePassword: item.text("categoryUuid"))
    })
}

extension FoundEntry {
  fileprivate mutating func takeAddresses(onePassword overview: Branch?) {
    let listed = overview?["urls"]?.children.compactMap { $0["url"] } ?? []
    for address in ([overview?["url"]] + listed).compactMap(\.self)
    where !addresses.contains(address.text) { take(.address, address) }
  }

  /// Takes what a web form had.
  fileprivate mutating func take(onePassword field: Branch) {
    switch (field.text("designation"), field.text("fieldType")) {
    case ("username", _): take(.account, field["value"])
    case ("password", _): take(.password, field["value"])
    // Check boxes and buttons.
    case (_, "C"), (_, "B"), (_, "I"): break
    default: take(.hidden(field.text("name")), field["value"])
    }
  }

  /// Takes a field of a section. Its value has one member, by the kind of the value.
  fileprivate mutating func take(onePassword field: Branch, _ section: Branch) {
    let title = field.text("title")
    for value in field["value"]?.children ?? [] {
      switch (value.name, field.text("id")) {
      case ("totp", _): take(.code, value)
      case ("file", _): leaveOut("attachment", named: value.text("fileName"))
      case (_, "username"): take(.account, value)
      case (_, "password"), (_, "credential"): take(.password, value)
      case ("url", _) where isLogin: take(.address, value)
      default: takeAll(of: value, named: title)
      }
    }
  }

  private var isLogin: Bool { !isNote && password.count > 0 }

  /// Takes a text and all texts within it.
  private mutating func takeAll(of branch: Branch, named name: String) {
    take(.hidden(name), branch)
    for part in branch.children { takeAll(of: part, named: "\(name) \(part.name)") }
  }

  fileprivate mutating func takeKind(onePassword category: String) {
    let kinds = [
      "002": "credit card", "003": "", "004": "identity", "006": "document",
      "100": "software license", "101": "bank account", "103": "driver license",
      "104": "outdoor license", "105": "membership", "106": "passport", "107": "rewards",
      "108": "social security number", "113": "medical record", "114": "SSH key",
      "115": "crypto wallet",
    ]
    guard let kind = kinds[category] else { return }
    isNote = true
    remarks.append(("type", kind))
  }
}
