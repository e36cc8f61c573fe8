import ArgumentParser
import BackupFormat
import CoreClient
import Protocol

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "backup", "Keep items in an encrypted file, and bring them back.",
    subcommands: [BackupCreateCommand.self, BackupRestoreCommand.self, BackupInspectCommand.self])
}

private struct BackupCreateCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "create", "Write the items that may leave this device to a file.",
    discussion: """
      Asks the owner. The file is encrypted with a passphrase, which is typed twice on a terminal, \
      or taken from --passphrase-fd or --passphrase-file. Anybody who has both can open it \
      anywhere. Nobody can without the passphrase. Items of a class that ends in this-device-only, \
      and private keys, never leave. They are counted, and those that this command reaches are \
      named.

      --include-protected includes items with access control. Each needs a proof of what it asks \
      for: biometry-current and biometry-any need a finger, not the passcode. They are restored \
      with the same access control, and biometry-current then means the fingers of that device. \
      Items with an application password stay.

          authcore backup create ~/keychain.backup
          authcore backup create ~/everything.backup --include-protected
      """)

  @Argument(help: "The file to write. - is standard output.", completion: .file())
  var file: String

  @OptionGroup var replacing: ForceOption

  @Flag(help: "Include items with access control. Each needs a proof of what it asks for.")
  var includeProtected = false

  @OptionGroup var passphrase: BackupPassphraseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let sink = try OutputFile(
      file, replaces: replacing.force, for: "backup", suitsTerminal: false, invocation)
    try sink.begin()
    let chosen = try passphrase.new(invocation)
    let made = try invocation.interrupts.listening { () throws(Failure) in
      try create(sink, chosen, invocation)
    }
    let (counts, leftOut) = (made.counts, made.leftOut)
    let output = invocation.output
    if sink.isStandardOutput {
      output.note(BackupText.created(counts, guarded: made.guarded, in: nil))
      for line in leftOut?.lines(of: counts.leftOut, output.errorPaint) ?? [] {
        output.note(line)
      }
    } else {
      output.result(
        .object([
          "items": .count(counts.items),
          "protected": includeProtected ? .count(made.guarded) : nil,
          "leftOut": .count(counts.leftOut),
          "leftOutItems": leftOut?.json ?? .null,
          "unreadable": counts.unreadable > 0 ? .count(counts.unreadable) : nil,
          "file": .string(file),
        ]),
        [BackupText.created(counts, guarded: made.guarded, in: file)]
          + (leftOut?.lines(of: counts.leftOut, output.paint) ?? []))
    }
    if counts.unreadable > 0 { output.note(BackupText.unreadable(counts.unreadable)) }
  }

  private struct Made {
    var counts = BackupCounts(items: 0, leftOut: 0, unreadable: 0)
    /// How many of the items have an access control.
    var guarded: UInt64 = 0
    var leftOut: LeftOutEntries?
  }

  private func create(
    _ sink: OutputFile, _ passphrase: borrowing SecretBytes, _ invocation: Invocation
  ) throws(Failure) -> Made {
    let session = try invocation.openSession()
    var guarded = GuardedForBackup(try includeProtected ? session.guarded().entries : [])
    invocation.output.live("Stretching the passphrase …")
    let (header, keys) = try BackupHeader.make(
      for: passphrase, createdAt: Timestamp.secondsSince1970(),
      includesGuarded: !guarded.leaving.isEmpty)
    invocation.output.clearLive()
    let options = invocation.promptOptions(reason: guarded.reason)
    let context = try session.openContext()
    let _: Done = try session.ask(
      GiveBackupKey(
        use: .create, includesGuarded: !guarded.leaving.isEmpty, header: header.checksum,
        key: keys.copyOfRecordsKey()),
      options, in: context)
    try sink.write(header.encoded.span)
    let progress = BackupProgress("Backing up", invocation.output)
    var (made, next): (Made, UInt64?) = (Made(), 0)
    var (items, leftOut, unreadable): (UInt64, UInt64, UInt64) = (0, 0, 0)
    while let after = next {
      let part: ItemsBackedUp
      do throws(Failure) {
        part = try session.ask(
          BackUpItems(after: after, proofs: guarded.proofs), options, in: context)
      } catch  where guarded.doWithoutFinger(error) {
        invocation.output.note(
          "No finger can be used. Items that only a finger opens are left out.")
        continue
      }
      for record in part.records { try sink.write(record.bytes, .item(record.kind)) }
      items += UInt64(part.records.count)
      made.guarded += UInt64(part.records.count { $0.kind == .guarded })
      leftOut += part.leftOut
      unreadable += part.unreadable
      progress.show(items, of: items + part.remaining)
      next = part.next
    }
    let end: BackupEnded = try session.ask(
      EndBackup(leftOut: leftOut, unreadable: unreadable), .none, in: context)
    try sink.write(end.record, .end)
    try context.invalidate()
    try sink.finish()
    progress.end()
    made.counts = BackupCounts(items: items, leftOut: leftOut, unreadable: unreadable)
    // The backup is written. A failure to ask what it lacks does not undo that.
    made.leftOut = try? LeftOutEntries(session, without: Set(guarded.leaving.map(\.identifier)))
    return made
  }
}

extension OutputFile {
  fileprivate func write(_ sealed: [UInt8], _ kind: BackupRecordHead.Kind) throws(Failure) {
    try write((BackupRecordHead(kind, count: sealed.count).encoded + sealed).span)
  }
}

/// The items with access control for a backup, and what the owner is asked for.
private struct GuardedForBackup {
  private let entries: [GuardedEntry]
  /// What the owner can still be asked for.
  private(set) var proofs: EvidenceSet

  init(_ entries: [GuardedEntry]) {
    self.entries = entries.filter { !$0.isKey && !$0.isLost }
    proofs = self.entries.isEmpty ? [] : [.biometry, .passcode]
  }

  /// The items that these proofs open.
  var leaving: [GuardedEntry] {
    proofs.isEmpty ? [] : entries.filter { $0.accessControl.isSatisfied(by: proofs) }
  }

  /// What the prompt says about them; empty if there are none.
  var reason: String {
    guard !leaving.isEmpty else { return "" }
    let count = ItemText.count(leaving.count, "protected item")
    return "Include \(count): \(GuardedText.names(leaving))"
  }

  /// Goes on without fingers if the failure says that none can be asked for.
  /// - Returns: false if that does not help.
  mutating func doWithoutFinger(_ failure: Failure) -> Bool {
    switch failure.code {
    case .biometryNotAvailable, .biometryNotEnrolled, .biometryNotPaired, .biometryDisconnected:
      guard proofs.contains(.biometry) else { return false }
      proofs.remove(.biometry)
      return true
    default: return false
    }
  }
}
