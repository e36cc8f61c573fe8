import ArgumentParser
import BackupFormat
import Protocol

struct BackupInspectCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a backup is; with its passphrase, check all of it.",
    discussion: """
      Needs no device. With --passphrase-fd, --passphrase-file or --verify every record is opened and \
      counted; what is in them is not shown.
      """)

  @Argument(help: "The backup; - is standard input.", completion: .file())
  var file: String

  @Flag(help: "Ask for the passphrase, and check every record.")
  var verify = false

  @OptionGroup var passphrase: BackupPassphraseOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let source = try BackupSource(file, beside: passphrase, invocation)
    let reader = try source.reader()
    let counts = try verify || passphrase.isGiven ? verified(reader, source, invocation) : nil
    let facts = BackupFacts(header: reader.header, size: source.knownSize, counts: counts)
    invocation.output.result(facts.json, facts.lines(invocation.output.paint))
    return .done
  }

  private func verified(
    _ opened: BackupReader, _ source: BackupSource, _ invocation: Invocation
  ) throws(Failure) -> BackupCounts {
    var reader = opened
    let cipher = try passphrase.keys(of: reader.header, invocation).cipher(for: reader.header)
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
