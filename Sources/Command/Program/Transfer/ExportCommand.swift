import ArgumentParser
import CoreClient
import ItemTransfer
import Protocol

struct ExportCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "export", "Write all items with their secrets to an unprotected CSV file.",
    discussion: """
      Asks for the passcode. The columns are Bitwarden's, which other programs read too. authcore \
      import reads the file back unchanged. Certificates, and items that the passcode does not \
      open, are left out and counted. Keys never leave the enclave. To keep a copy for yourself, \
      make a backup instead: it is encrypted.
      """)

  @Argument(
    help: ArgumentHelp("The file to write. - is standard output.", valueName: "file"),
    completion: .file())
  var file: String

  @OptionGroup var replacing: ForceOption
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let output = invocation.output
    let target = try OutputFile(
      file, replaces: replacing.force, for: "export", suitsTerminal: true, invocation)
    output.note("The export is not protected: anybody who can read it has every secret.")
    let session = try invocation.openSession()
    let context = try session.openContext()
    let _: Done = try session.ask(
      RequirePasscode(),
      invocation.promptOptions(
        reason: "Export every secret without protection", usesPasscodeAtOnce: true),
      in: context)
    // A signal ends it between two items, so that no partial file is left.
    let count = try invocation.interrupts.listening { () throws(Failure) in
      try target.begin()
      let count = try ItemExportRun(session, output).write(to: target, in: context)
      try target.finish()
      return count
    }
    try context.invalidate()
    report(count, output)
  }

  private func report(_ count: ItemExportRun.Count, _ output: Output) {
    let leftOut =
      count.leftOut == 0
      ? "" : " \(count.leftOut == 1 ? "One item is" : "\(count.leftOut) items are") left out."
    let sentence = "Exported \(ItemText.count(count.written)).\(leftOut)"
    guard file != "-" else { return output.note(sentence) }
    output.result(
      .object(["items": .count(count.written), "leftOut": .count(count.leftOut)]), [sentence])
  }
}

/// Writes every item that a context opens. Only one secret at a time is in memory.
private struct ItemExportRun {
  private let session: CoreSession
  private let output: Output

  init(_ session: CoreSession, _ output: Output) {
    (self.session, self.output) = (session, output)
  }

  struct Count {
    var written: UInt32 = 0
    var leftOut: UInt32 = 0
  }

  /// - Parameters:
  ///   - target: has been begun.
  ///   - context: holds the owner's passcode. Nothing else is asked for.
  /// - Returns: how many there were.
  /// - Throws: what could not be read or written.
  func write(
    to target: OutputFile, in context: borrowing AuthenticationContext
  ) throws(Failure) -> Count {
    var count = Count()
    try target.write(Array(ItemExport.header.utf8).span)
    let items = try items()
    for (index, item) in items.enumerated() {
      if index.isMultiple(of: 100), !target.isStandardOutput {
        output.live("\(index) of \(items.count) items")
      }
      // An item that needs more would fail, and remove the passcode from the context.
      guard ItemExport.classes.contains(item.itemClass),
        item.accessControl?.isSatisfied(by: .passcode) ?? true
      else {
        count.leftOut += 1
        continue
      }
      do throws(Failure) {
        let opened: GotItem = try session.ask(
          GetItem(query: ItemQuery(naming: item)), .none, in: context)
        let row = ItemExport.row(opened.attributes, opened.secret.bytes)
        try target.write(row.bytes)
        count.written += 1
      } catch {
        switch error.code {
        // It has been removed meanwhile.
        case .errSecItemNotFound: continue
        case .errSecDecode, .errSecAuthFailed, .errSecInteractionNotAllowed: count.leftOut += 1
        default: throw error
        }
      }
    }
    output.clearLive()
    return count
  }

  private func items() throws(Failure) -> [ItemAttributes] {
    var query = ItemQuery()
    query.isSynchronizable = nil
    return try ifFound { () throws(Failure) in try session.find(query) } ?? []
  }
}
