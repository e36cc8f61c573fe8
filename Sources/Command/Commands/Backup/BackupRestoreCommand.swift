import ArgumentParser
import AuthCoreClient
import BackupFormat
import ClientProtocol
import Wire

/// `authcore backup restore`
struct BackupRestoreCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring the items of a backup into the keychain, all or nothing.",
    discussion: """
      An item that the keychain has under the same name is replaced where the backup's was changed \
      later; the others stay, and so does whatever is bound to this device. --dry-run says what would \
      come of it.

          authcore backup restore ~/keychain.backup --dry-run
      """)

  @Argument(help: "The backup; - is standard input.", completion: .file())
  var file: String

  @Flag(help: "Look at everything and change nothing.")
  var dryRun = false

  @OptionGroup var passphrase: BackupPassphraseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let source = try BackupSource(file, beside: passphrase, invocation)
    let reader = try source.reader()
    let keys = try passphrase.keys(of: reader.header, invocation)
    let counts = try invocation.interrupts.listening { () throws(Failure) in
      try restore(reader, source, keys, invocation)
    }
    invocation.output.result(
      .object([
        "items": .count(counts.added + counts.replaced + counts.kept),
        "added": .count(counts.added), "replaced": .count(counts.replaced),
        "kept": .count(counts.kept), "dryRun": dryRun ? .bool(true) : nil,
      ]), BackupText.restored(counts, isDryRun: dryRun))
    return .done
  }

  private func restore(
    _ opened: BackupReader, _ source: BackupSource, _ keys: BackupKeys, _ invocation: Invocation
  ) throws(Failure) -> RestoreCounts {
    var reader = opened
    let session = try invocation.openSession()
    let context = try session.openContext()
    let _: Done = try session.ask(
      GiveBackupKey(
        use: .restore, header: reader.header.checksum, key: keys.copyOfRecordsKey()),
      .none, in: context)
    let progress = BackupProgress(dryRun ? "Looking" : "Restoring", invocation.output)
    var part = RecordPart()
    while let record = try reader.next() {
      if record.kind == .end || !part.hasRoom(for: record) {
        if part.mustBeSent(atEnd: record.kind == .end) {
          let _: ItemsRestored = try session.ask(
            part.message(dryRun ? .dryRun : .apply), .none, in: context)
          progress.show(source.position, of: source.size)
        }
        part = RecordPart(first: record.number)
      }
      if record.kind == .end {
        let done: ItemsRestored = try session.ask(
          FinishRestore(record: record.sealed), .none, in: context)
        try context.invalidate()
        progress.end()
        return done.counts
      }
      part.append(record)
    }
    throw .backupCutShort
  }
}

/// Records on their way to the keychain, in one message.
private struct RecordPart {
  /// More than two of the largest records would need more locked memory than the core gives one
  /// client.
  private static let mostBytes = 96 << 10

  private let first: UInt64
  private var records: [[UInt8]] = []
  private var size = 0

  init(first: UInt64 = 0) { self.first = first }

  func hasRoom(for record: BackupRecord) -> Bool {
    records.isEmpty
      || (records.count < mostRestoredAtOnce && size + record.sealed.count <= Self.mostBytes)
  }

  /// The first part begins the restore, also where it is empty.
  func mustBeSent(atEnd: Bool) -> Bool { !records.isEmpty || (atEnd && first == 0) }

  mutating func append(_ record: BackupRecord) {
    records.append(record.sealed)
    size += record.sealed.count
  }

  func message(_ mode: RestoreMode) -> RestoreItems {
    RestoreItems(mode: mode, first: first, records: records)
  }
}
