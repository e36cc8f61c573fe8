import ArgumentParser
import BackupFormat
import CoreClient
import Protocol

/// `authcore backup create`
struct BackupCreateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Write the items that may leave this device to a file.",
    discussion: """
      Asks the owner. The file is encrypted under a passphrase, which is typed twice on a terminal or \
      taken from --passphrase-fd or --passphrase-file: whoever has both opens it anywhere, and without \
      the passphrase nobody does. Items with access control, those of a class that ends in \
      this-device-only, and private keys never leave; they are counted, and those that this command \
      reaches are named.

          authcore backup create ~/keychain.backup
      """)

  @Argument(help: "The file to write; - is standard output.", completion: .file())
  var file: String

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @OptionGroup var passphrase: BackupPassphraseOptions
  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let sink = try BackupSink(file, replaces: force, invocation)
    let chosen = try passphrase.new(invocation)
    let (counts, leftOut) = try invocation.interrupts.listening { () throws(Failure) in
      try create(sink, chosen, invocation)
    }
    let output = invocation.output
    if sink.isStandardOutput {
      output.note(BackupText.created(counts, in: nil))
      for line in leftOut?.lines(of: counts.leftOut, output.errorPaint) ?? [] {
        output.note(line)
      }
    } else {
      output.result(
        .object([
          "items": .count(counts.items), "leftOut": .count(counts.leftOut),
          "leftOutItems": leftOut?.json ?? .null,
          "unreadable": counts.unreadable > 0 ? .count(counts.unreadable) : nil,
          "file": .string(file),
        ]),
        [BackupText.created(counts, in: file)]
          + (leftOut?.lines(of: counts.leftOut, output.paint) ?? []))
    }
    if counts.unreadable > 0 { output.note(BackupText.unreadable(counts.unreadable)) }
    return .done
  }

  private func create(
    _ sink: BackupSink, _ passphrase: borrowing SecretBytes, _ invocation: Invocation
  ) throws(Failure) -> (BackupCounts, LeftOutEntries?) {
    let session = try invocation.openSession()
    invocation.output.live("Stretching the passphrase …")
    let (header, keys) = try BackupHeader.make(
      for: passphrase, createdAt: Timestamp.secondsSince1970())
    invocation.output.clearLive()
    let options = invocation.promptOptions()
    let context = try session.openContext()
    let _: Done = try session.ask(
      GiveBackupKey(
        use: .create, header: header.checksum, key: keys.copyOfRecordsKey()),
      options, in: context)
    try sink.write(header.encoded)
    let progress = BackupProgress("Backing up", invocation.output)
    var (items, leftOut, unreadable): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var next: UInt64? = 0
    while let after = next {
      let part: ItemsBackedUp = try session.ask(
        BackUpItems(after: after), options, in: context)
      for record in part.records { try sink.write(record) }
      items += UInt64(part.records.count)
      leftOut += part.leftOut
      unreadable += part.unreadable
      progress.show(items, of: items + part.remaining)
      next = part.next
    }
    let end: BackupEnded = try session.ask(
      EndBackup(leftOut: leftOut, unreadable: unreadable), .none, in: context)
    try sink.write(end: end.record)
    try context.invalidate()
    try sink.finish()
    progress.end()
    // The backup is there, whatever becomes of the question.
    return (
      BackupCounts(items: items, leftOut: leftOut, unreadable: unreadable),
      try? LeftOutEntries(session)
    )
  }
}
