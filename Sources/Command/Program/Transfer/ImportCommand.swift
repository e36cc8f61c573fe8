import ArgumentParser
import CoreClient
import Glibc
import ItemTransfer
import LinuxSystem
import Protocol

struct ImportCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    "import", "Import from a browser, a password manager or another keyring.",
    discussion: """
      Shows what it would add, and adds it with --apply. Items that exist stay as they are, unless \
      --replace or --both is given. Secrets are never shown.

          authcore import passwords.csv
          authcore import passwords.csv --apply
          authcore import --from pass
          authcore import --from secret-service

      A file says itself which program wrote it: Firefox, Chrome, Edge, Apple Passwords, Bitwarden, \
      1Password, LastPass, Dashlane, NordPass, Proton Pass, Enpass, KeePass, KeePassXC or authcore \
      export. Another CSV file is read with --map title=COLUMN,username=COLUMN,password=COLUMN.
      """)

  @Argument(
    help: ArgumentHelp(
      "The file: CSV, JSON, XML or an archive. - is standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      """
      Where to import from: csv, pass (through gpg) or secret-service (this session's keyring).
      """, valueName: "source"), completion: .list(ImportSource.allCases.map(\.rawValue)))
  var from: ImportSource?

  @Option(
    help: ArgumentHelp(
      """
      The columns of an unknown CSV file, for title, url, username, email, password, notes, otp and \
      folder.
      """, valueName: "field=column,…"))
  var map: String?

  @Flag(help: "Add what was found. Without it, nothing is changed.")
  var apply = false

  @Flag(help: "With --apply: give existing items the secret that was found.")
  var replace = false

  @Flag(help: "Add what differs from an existing item beside it, with a number.")
  var both = false

  @Flag(help: "Leave out entries that are archived or in a recycle bin.")
  var skipArchived = false

  @OptionGroup var items: ImportedItemOptions
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  var unlocks: Bool { apply }

  func run(_ invocation: Invocation) throws(Failure) {
    guard apply || !replace else {
      throw .usage(
        "--replace changes nothing without --apply", hint: "Give both, or neither to look first.")
    }
    guard !replace || !both else {
      throw .usage("--replace and --both cannot be combined", hint: "Give one of them.")
    }
    let map = try map.map { (text) throws(Failure) in try ColumnMap(text) }
    let attributes = try items.attributes()
    let file = try importFile(invocation)
    let session = try invocation.openSession()
    let run = try ImportRun(
      session,
      .init(
        adds: apply, replaces: replace, keepsBoth: both, skipsArchived: skipArchived,
        attributes: attributes),
      promptOptions: invocation.promptOptions())
    let found: ImportedSource
    do throws(Failure) {
      found = try read(file, map, into: run)
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
        hint: "Name a file, or: --from secret-service, --from pass")
    case (.csv, nil):
      throw .usage("--from csv needs a file", hint: "authcore import FILE; - is standard input")
    case (.pass, .some), (.secretService, .some):
      throw .usage(
        "--from \(from?.rawValue ?? "") reads no file",
        hint: "Leave the file out. PASSWORD_STORE_DIR names another store of pass.")
    case (.pass, nil), (.secretService, nil):
      guard map == nil else {
        throw .usage("--map is for a CSV file", hint: "Leave --map out.")
      }
      return nil
    case (nil, .some(let path)), (.csv, .some(let path)):
      return try ImportFile(path, invocation)
    case (.program(let name, let way), _):
      throw .usage(
        "--from takes csv, pass and secret-service, not \(name)",
        hint: "Leave --from out: authcore import FILE. \(way)")
    }
  }

  private func read(
    _ file: ImportFile?, _ map: ColumnMap?, into run: ImportRun
  ) throws(Failure) -> ImportedSource {
    if let file { return try file.read(into: run, map, checksFirst: apply) }
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
  var name: String
  /// Columns that are not imported.
  var unkeptColumns: [String] = []
  /// A file that still holds every secret.
  var readableFile: String?
}
