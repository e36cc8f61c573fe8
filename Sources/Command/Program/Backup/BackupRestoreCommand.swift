import ArgumentParser
import BackupFormat
import CoreClient
import Protocol

struct BackupRestoreCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "restore", "Bring the items of a backup into the keychain, all or none.",
    discussion: """
      An item of the same name is replaced if the backup's was changed later. Other items stay, \
      and so does everything that is bound to this device. Items with access control need a \
      passcode here, and a finger if they ask for one: biometry-current then means the fingers of \
      this device. --dry-run says what would happen.

          authcore backup restore ~/keychain.backup --dry-run
      """)

  @OptionGroup var backup: BackupArguments

  @Flag(help: "Check everything and change nothing.")
  var dryRun = false

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    let source = try backup.source(invocation)
    let reader = try source.reader()
    let keys = try backup.passphrase.keys(of: reader.header, invocation)
    let counts = try invocation.interrupts.listening { () throws(Failure) in
      try restore(reader, source, keys, invocation)
    }
    invocation.output.result(
      .object([
        "items": .count(counts.added + counts.replaced + counts.kept),
        "added": .count(counts.added), "replaced": .count(counts.replaced),
        "kept": .count(counts.kept), "dryRun": dryRun ? .bool(true) : nil,
      ]), BackupText.restored(counts, isDryRun: dryRun))
  }

  private func restore(
    _ opened: BackupReader, _ source: BackupSource, _ keys: BackupKeys, _ invocation: Invocation
  ) throws(Failure) -> RestoreCounts {
    var reader = opened
    let session = try invocation.openSession()
    let context = try session.openContext()
    let _: Done = try session.ask(
      GiveBackupKey(use: .restore, header: reader.header.checksum, key: keys.copyOfRecordsKey()),
      .none, in: context)
    let progress = BackupProgress(dryRun ? "Looking" : "Restoring", invocation.output)
    var part = RecordPart()
    while let record = try reader.next() {
      switch record {
      case .item(let record, let number):
        if !part.hasRoom(for: record) {
          try send(part, session, context)
          part = RecordPart(first: number)
        }
        part.append(record)
        progress.show(source.position, of: source.size)
      case .end(let sealed, _):
        if part.mustBeSentAtEnd { try send(part, session, context) }
        let done: ItemsRestored = try session.ask(FinishRestore(record: sealed), .none, in: context)
        try context.invalidate()
        progress.end()
        return done.counts
      }
    }
    throw .backupCutShort
  }

  private func send(
    _ part: RecordPart, _ session: CoreSession, _ context: borrowing AuthenticationContext
  ) throws(Failure) {
    let _: ItemsRestored = try session.ask(
      part.message(dryRun ? .dryRun : .apply), .none, in: context)
  }
}

/// Records that are sent to the keychain in one message.
private struct RecordPart {
  /// Three of the largest records would need more locked memory than the core gives one client. A
  /// longer certificate is sent alone.
  private static let mostBytes = 96 << 10

  private let first: UInt64
  private var records: [SealedRecord] = []
  private var size = 0

  init(first: UInt64 = 0) { self.first = first }

  func hasRoom(for record: SealedRecord) -> Bool {
    records.isEmpty
      || (records.count < mostRestoredAtOnce && size + record.bytes.count <= Self.mostBytes)
  }

  /// The first part begins the restore, so it is sent even if it is empty.
  var mustBeSentAtEnd: Bool { !records.isEmpty || first == 0 }

  mutating func append(_ record: SealedRecord) {
    records.append(record)
    size += record.bytes.count
  }

  func message(_ mode: RestoreMode) -> RestoreItems {
    RestoreItems(mode: mode, first: first, records: records)
  }
}

struct BackupInspectCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "inspect", "Show what a backup is. With its passphrase, check all of it.",
    discussion: """
      Needs no device. With --passphrase-fd, --passphrase-file or --verify, every record is opened \
      and counted, but not shown.
      """)

  @OptionGroup var backup: BackupArguments

  @Flag(help: "Ask for the passphrase, and check every record.")
  var verify = false

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let source = try backup.source(invocation)
    let reader = try source.reader()
    let counts =
      try verify || backup.passphrase.isGiven ? verified(reader, source, invocation) : nil
    let facts = BackupFacts(header: reader.header, size: source.knownSize, counts: counts)
    invocation.output.result(facts.json, facts.lines(invocation.output.paint))
  }

  private func verified(
    _ opened: BackupReader, _ source: BackupSource, _ invocation: Invocation
  ) throws(Failure) -> BackupCounts {
    var reader = opened
    let cipher = try backup.passphrase.keys(of: reader.header, invocation).cipher(
      for: reader.header)
    let progress = BackupProgress("Checking", invocation.output)
    defer { progress.end() }
    var counts: BackupCounts?
    while let record = try reader.next() {
      switch record {
      case .item(let record, let number): _ = try cipher.openItem(record, as: number)
      case .end(let sealed, let number): counts = try cipher.openEnd(sealed, as: number)
      }
      progress.show(source.position, of: source.size)
    }
    guard let counts else { throw .backupCutShort }
    return counts
  }
}
