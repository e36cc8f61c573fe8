import ArgumentParser
import CoreClient
import Glibc
import ItemTransfer
import LinuxSystem
import Protocol

struct ImportCommand: ClientCommand {
  /// What `--from` takes.
  enum Source: String, ExpressibleByArgument, CaseIterable {
    case csv, pass
    case secretService = "secret-service"
  }

  static let configuration = CommandConfiguration(
    "import", "Import from a browser, a password manager or another keyring.",
    discussion: """
      Shows what it would add, and adds it with --apply. Items that exist stay as they are, unless \
      --replace is given. Secrets are never shown.

          authcore import passwords.csv
          authcore import passwords.csv --apply
          authcore import --from pass
          authcore import --from secret-service

      A CSV file may come from Firefox, Chrome, Edge, Bitwarden, 1Password, KeePassXC, Apple \
      Passwords or authcore export. Its first line says from which.
      """)

  @Argument(
    help: ArgumentHelp("The CSV file. - is standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      """
      Where to import from: csv, pass (through gpg) or secret-service (this session's keyring).
      """, valueName: "source"))
  var from: Source?

  @Flag(help: "Add what was found. Without it, nothing is changed.")
  var apply = false

  @Flag(help: "With --apply: give existing items the secret that was found.")
  var replace = false

  @OptionGroup var items: ImportedItemOptions
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  var unlocks: Bool { apply }

  func run(_ invocation: Invocation) throws(Failure) {
    guard apply || !replace else {
      throw .usage(
        "--replace changes nothing without --apply", hint: "Give both, or neither to look first.")
    }
    let attributes = try items.attributes()
    let file = try importFile(invocation)
    let session = try invocation.openSession()
    let run = try ImportRun(
      session, .init(adds: apply, replaces: replace, attributes: attributes),
      promptOptions: invocation.promptOptions())
    let found: ImportedSource
    do throws(Failure) {
      found = try read(file, into: run, invocation)
      try run.finish()
    } catch {
      if let sentence = run.sentenceOfStored { invocation.output.note(sentence) }
      throw error
    }
    let report = ImportReport(run, found, applied: apply)
    invocation.output.result(report.json, report.lines(invocation.output.paint))
  }

  /// The file to read; nil for a source without one.
  private func importFile(_ invocation: Invocation) throws(Failure) -> ImportFile? {
    switch (from, file) {
    case (nil, nil):
      throw .usage(
        "No source to import from is given",
        hint: "Name a CSV file, or: --from secret-service, --from pass")
    case (.csv, nil):
      throw .usage("--from csv needs a file", hint: "authcore import FILE; - is standard input")
    case (.pass, .some), (.secretService, .some):
      throw .usage(
        "--from \(from?.rawValue ?? "") reads no file",
        hint: "Leave the file out. PASSWORD_STORE_DIR names another store of pass.")
    case (.pass, nil), (.secretService, nil): return nil
    case (nil, .some(let path)), (.csv, .some(let path)):
      return try ImportFile(path, invocation)
    }
  }

  private func read(
    _ file: ImportFile?, into run: ImportRun, _ invocation: Invocation
  ) throws(Failure) -> ImportedSource {
    if let file { return try file.read(into: run, checksFirst: apply) }
    if from == .pass {
      let store = try PasswordStore(environment: EnvironmentVariable.entries)
      try store.readItems(to: run)
      return ImportedSource(name: "pass")
    }
    try SecretServiceImport().readItems(to: run)
    return ImportedSource(name: "Secret Service")
  }
}

struct ImportedSource {
  /// The program's name.
  let name: String
  /// Columns that are not imported.
  var unkeptColumns: [String] = []
  /// A file that still holds every secret.
  var readableFile: String?
}

/// A CSV file, which is read through locked memory.
private final class ImportFile {
  private let file: InputFile
  private let path: String

  /// - Throws: `usage` if it cannot be opened, or the passcode comes from there too.
  init(_ path: String, _ invocation: Invocation) throws(Failure) {
    self.path = path
    file = try InputFile(path, invocation)
  }

  /// Gives every item in it to a receiver.
  ///
  /// `checksFirst` reads a regular file to its end before anything is given, so that a file that is
  /// broken in its middle adds nothing.
  /// - Throws: `importUnreadable` naming the file, and what the receiver throws.
  func read(
    into receiver: any ImportReceiver, checksFirst: Bool
  ) throws(Failure) -> ImportedSource {
    if checksFirst, file.size != nil {
      _ = try readOnce(into: Checking())
      file.rewind()
    }
    return try readOnce(into: receiver)
  }

  private func readOnce(into receiver: any ImportReceiver) throws(Failure) -> ImportedSource {
    var reader = CSVImport(to: receiver)
    var buffer = SecretBytes(count: 64 << 10)
    do throws(Failure) {
      while case let count = try file.readPart(&buffer), count > 0 {
        try reader.read(buffer.bytes.extracting(first: count))
      }
      try reader.finish()
    } catch  where error.code == .importUnreadable {
      throw Failure(error.code, "\(file.name): \(error.message)", hint: error.hint)
    }
    return ImportedSource(
      name: reader.program ?? "", unkeptColumns: reader.unkeptColumns,
      readableFile: file.size != nil && !file.isStandardInput ? path : nil)
  }

  /// Ignores everything.
  private final class Checking: ImportReceiver {
    func take(_ item: consuming ImportedItem) throws(Failure) {}
    func skip(_ entry: SkippedEntry) {}
  }
}
