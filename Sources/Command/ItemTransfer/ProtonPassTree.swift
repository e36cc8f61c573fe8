import Protocol

extension EntryTree {
  /// Proton Pass' JSON, by itself or as `data.json` in an archive.
  static let protonPass = EntryTree(
    name: "Proton Pass",
    fits: { $0["vaults"] != nil && $0["version"] != nil },
    forEachEntry: { (root, visit) throws(Failure) in
      for vault in root["vaults"]?.children ?? [] {
        for item in vault["items"]?.children ?? [] {
          let state: EntryState = item.text("state") == "2" ? .deleted : .active
          try visit(item, Surroundings(folder: vault.text("name"), state: state))
        }
      }
    },
    rules: Dictionary(
      [
        "data.metadata.name": .title, "data.metadata.note": .notes, "data.type": .kind,
        "data.content.itemUsername": .account, "data.content.username": .account,
        "data.content.itemEmail": .email, "aliasEmail": .email,
        "data.content.password": .password, "data.content.urls": .address,
        "data.content.totpUri": .code,
      ],
      ignored: [
        "itemId", "shareId", "contentFormatVersion", "createTime", "modifyTime", "pinned", "state",
        "shareCount", "data.metadata.itemUuid", "data.platformSpecific", "data.content.cardType",
      ],
      custom: [
        "data.extraFields": takeFields, "data.content.sections.sectionFields": takeFields,
        "data.content.extraSections.sectionFields": takeFields,
        "data.content.extraPersonalDetails": takeFields,
        "data.content.extraAddressDetails": takeFields,
        "data.content.extraContactDetails": takeFields, "data.content.extraWorkDetails": takeFields,
        "data.content.passkeys": { list, entry in
          entry.leaveOutAll("passkey", list, named: "domain")
        },
        "files": { list, entry in entry.leaveOutAll("attachment", list, named: "name") },
      ]))

  private static let takeFields: Custom = { list, entry in
    for field in list.children {
      let name = field.text("fieldName")
      for value in field["data"]?.children ?? [] {
        entry.take(value.name == "totpUri" ? .code : .hidden(name), value)
      }
    }
  }
}
