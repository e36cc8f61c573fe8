import Protocol

extension EntryTree {
  static let enpass = EntryTree(
    name: "Enpass",
    fits: { root in
      guard let first = root["items"]?.children.first else { return false }
      return first["template_type"] != nil || first["category"] != nil
    },
    forEachEntry: { (root, visit) throws(Failure) in
      var folders: [String: String] = [:]
      for folder in root["folders"]?.children ?? [] {
        folders[folder.text("uuid")] = folder.text("title")
      }
      for item in root["items"]?.children ?? [] {
        let names = item["folders"]?.children.compactMap { folders[$0.text] } ?? []
        let state: EntryState =
          item.says("trashed") ? .deleted : item.says("archived") ? .archived : .active
        try visit(item, Surroundings(folder: names.joined(separator: ", "), state: state))
      }
    },
    rules: Dictionary(
      ["title": .title, "note": .notes],
      ignored: [
        "uuid", "subtitle", "category", "template_type", "icon", "favorite", "auto_submit",
        "createdAt", "updated_at", "folders", "trashed", "archived",
      ],
      custom: [
        "fields": { list, entry in
          for field in list.children where !field.says("deleted") { entry.take(enpass: field) }
        },
        "attachments": { list, entry in entry.leaveOutAll("attachment", list, named: "name") },
      ]),
    complete: { item, _, entry in
      let kind = item.text("category")
      guard ["note", "creditcard", "identity"].contains(kind) else { return }
      entry.isNote = true
      if kind != "note" { entry.remarks.append(("type", kind)) }
    })
}

extension FoundEntry {
  fileprivate mutating func take(enpass field: Branch) {
    let label = field.text("label")
    let kind: EntryField =
      switch field.text("type") {
      case "username": .account
      case "email": .email
      case "password" where password.count == 0: .password
      case "url": .address
      case "totp": .code
      default: .hidden(label)
      }
    take(kind, field["value"])
    for old in field["history"]?.children ?? [] { take(.hidden("earlier \(label)"), old["value"]) }
  }
}

extension Branch {
  /// Whether a member is 1 or true.
  fileprivate func says(_ name: String) -> Bool { ["1", "true"].contains(text(name)) }
}
