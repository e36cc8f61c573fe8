import Protocol

extension FoundEntry {
  /// Takes what texts were. A history has the whole entry before each change, and most texts stay
  /// as they are.
  mutating func takeEarlierTexts(
    keePass history: Branch?, _ strings: KeePassStrings, _ surroundings: EntryTree.Surroundings
  ) {
    var known: [String: [HeldSecret]] = [:]
    for (name, value) in strings.pairs {
      let meant = Self.meant(by: value, surroundings)
      known[name, default: []] += [HeldSecret(value.secret), HeldSecret(meant.secret)]
    }
    for old in history?.children ?? [] {
      for (name, value) in KeePassStrings(old).pairs where value.hasText {
        let secret = HeldSecret(value.secret)
        let isKnown = known[name]?.contains { $0.isEqual(to: secret) } == true
        guard !isKnown, !name.hasPrefix("KPEX_PASSKEY") else { continue }
        known[name, default: []].append(secret)
        takeEarlier(Self.keePassFields[name] == nil ? name : name.lowercased(), value)
      }
    }
  }

  /// Takes what fits. A history must not make a note too long for an item.
  private mutating func takeEarlier(_ name: String, _ value: Branch) {
    let room = largestItemSecret / 2 - notes.count - details.count
    if value.secret.count + name.utf8.count < room {
      take(.hidden("earlier \(name)"), value)
    } else {
      leaveOut("earlier \(name)", named: "")
    }
  }

  /// Names the attachments of a history that the entry has no more.
  mutating func nameEarlierAttachments(keePass entry: Branch) {
    func names(_ entry: Branch) -> [String] {
      entry.children.filter { $0.name == "Binary" }.map { $0.text("Key") }
    }
    var known = Set(names(entry))
    for name in (entry["History"]?.children ?? []).flatMap(names)
    where known.insert(name).inserted {
      leaveOut("earlier attachment", named: name)
    }
  }
}
