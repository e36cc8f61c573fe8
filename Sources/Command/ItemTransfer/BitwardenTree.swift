import Protocol

extension EntryTree {
  /// Bitwarden's JSON, not encrypted.
  static let bitwarden = EntryTree(
    name: "Bitwarden",
    fits: { $0["items"] != nil && $0["encrypted"] != nil },
    forEachEntry: { (root, visit) throws(Failure) in
      var folders: [String: String] = [:]
      for list in ["folders", "collections"] {
        for folder in root[list]?.children ?? [] {
          folders[folder.text("id")] = folder.text("name")
        }
      }
      for item in root["items"]?.children ?? [] {
        let places =
          [item.text("folderId")] + (item["collectionIds"]?.children.map(\.text) ?? [])
        let state: EntryState =
          item["deletedDate"]?.hasText == true
          ? .deleted : item["archivedDate"]?.hasText == true ? .archived : .active
        try visit(
          item,
          Surroundings(
            folder: places.compactMap { folders[$0] }.joined(separator: ", "), state: state))
      }
    },
    rules: Dictionary(
      [
        "name": .title, "notes": .notes, "login.uris.uri": .address,
        "login.username": .account, "login.password": .password, "login.totp": .code,
      ],
      ignored: [
        "id", "object", "organizationId", "folderId", "collectionIds", "type", "reprompt",
        "favorite", "edit", "viewPassword", "permissions", "key", "creationDate", "revisionDate",
        "deletedDate", "archivedDate", "secureNote", "login.uris.match", "login.uris.uriChecksum",
        "login.passwordRevisionDate", "login.autofillOnPageLoad", "passwordHistory.lastUsedDate",
      ],
      custom: [
        "fields": { list, entry in
          for field in list.children {
            entry.take(.hidden(field.text("name")), field["value"])
          }
        },
        "passwordHistory": { list, entry in
          for old in list.children { entry.take(.hidden("earlier password"), old["password"]) }
        },
        "login.fido2Credentials": { list, entry in
          entry.leaveOutAll("passkey", list, named: "rpId")
        },
        "attachments": { list, entry in
          entry.leaveOutAll("attachment", list, named: "fileName")
        },
      ]),
    complete: { item, _, entry in
      let kinds = ["2": "", "3": "card", "4": "identity", "5": "SSH key"]
      guard let kind = kinds[item.text("type")] else { return }
      entry.isNote = true
      entry.remarks.append(("type", kind))
    })
}
