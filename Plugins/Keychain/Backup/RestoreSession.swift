import Protocol

/// A restore on its way. There is one at a time: another one takes its place.
struct RestoreSession {
  /// Who brings the items, and where the backup's key is.
  let context: ContextName
  let mode: RestoreMode
  /// Its rows in the table of what was brought: random, so that those of another process are not
  /// taken for them.
  let mark: [UInt8]
  /// The place of the next record.
  private(set) var next: UInt64 = 0
  /// What is to become of the records so far.
  private(set) var counts = RestoreCounts()
  /// Rows that were staged.
  var staged = 0

  init(_ context: ContextName, _ mode: RestoreMode, mark: [UInt8]) {
    (self.context, self.mode, self.mark) = (context, mode, mark)
  }

  /// Whether these are its next records.
  func continues(with request: RestoreItems, in context: ContextName) -> Bool {
    self.context == context && mode == request.mode && next == request.first
  }

  /// Takes note of the next records.
  mutating func note(_ decisions: [RestoreDecision]) {
    next += UInt64(decisions.count)
    for decision in decisions {
      switch decision {
      case .add: counts.added += 1
      case .replace: counts.replaced += 1
      case .keep: counts.kept += 1
      }
    }
  }

  /// What became of all records, of which so many were added and so many took another one's place:
  /// whatever was added or changed since it was looked at stays.
  func final(added: Int, replaced: Int) -> RestoreCounts {
    let (added, replaced) = (UInt64(added), UInt64(replaced))
    return RestoreCounts(added: added, replaced: replaced, kept: next - added - replaced)
  }
}

/// What is to become of one item of a backup.
enum RestoreDecision {
  case add
  /// The row in whose place it comes, and the applications that this is shared with.
  case replace(ItemRow, sharedWith: [String])
  /// The item that is there stays.
  case keep

  /// An item of the backup, and the row of its name with what became of its attributes.
  ///
  /// The later change counts. What stays on this device is never replaced by what does not: the
  /// backup's item asks for less. A damaged item is what backups are for; one that is newer than the
  /// keybag is whole, and opens again with the right one. What the owner has granted here stays.
  init(_ item: ItemAttributes, over row: ItemRow, _ opened: EnclaveLink.OpenedAttributes) {
    guard let clear = row.clear, clear.accessControl == nil,
      !clear.accessibility.isThisDeviceOnly
    else {
      self = .keep
      return
    }
    switch opened {
    case .value(let present) where row.agrees(with: present):
      self =
        item.modifiedAt > present.modifiedAt
        ? .replace(row, sharedWith: present.sharedWith) : .keep
    case .value, .damaged: self = .replace(row, sharedWith: [])
    case .closed, .newer: self = .keep
    }
  }
}
