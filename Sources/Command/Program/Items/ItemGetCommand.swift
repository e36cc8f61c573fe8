import ArgumentParser
import CoreClient
import Protocol

struct ItemGetCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "get", "Write an item's secret to standard output as it is.",
    discussion: """
      A plain argument is a service, a server, a label or an address. On a terminal, the beginning \
      of a word is enough: the nearest item is used, and named if its name was not complete.

      Asks for what the item wants: a touch or the passcode. With --all --json, several items are \
      opened at once. One proof serves all of them for up to five minutes, so items that ask for \
      the same need one prompt. Either all are written or none. Certificates have no secret, and \
      are left out.

      With --class certificate, certificates are written without asking: one in DER, or any number \
      with --pem or --json.
      """)

  @OptionGroup var selection: ItemSelection

  @Flag(help: "Open all items that match, not only one. Needs --json, or --pem for certificates.")
  var all = false

  @Flag(help: "With --class certificate: write PEM.")
  var pem = false

  @OptionGroup var opening: OpeningOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    let query = try selection.selectingQuery()
    try opening.check()
    guard query.itemClass != .certificate else {
      return try CertificateWriting(query: query, isPEM: pem, writesAll: all).run(invocation)
    }
    guard !pem else {
      throw .usage("--pem is for certificates", hint: "Add --class certificate.")
    }
    let output = invocation.output
    guard all else {
      let item = try one(invocation)
      if output.isJSON {
        item.write(to: output)
        output.endObject()
      } else {
        output.secret(item.secret.bytes)
        output.endSecretOnTerminal()
      }
      return
    }
    guard output.isJSON else {
      throw .usage(
        "--all writes several secrets, which only --json keeps apart",
        hint: "Add --json, or name one item.")
    }
    let items = try several(query, invocation)
    output.write(items)
  }

  private func one(_ invocation: Invocation) throws(Failure) -> GotItem {
    do throws(Failure) {
      return try opening.session(invocation).open(
        selection, NameTolerance(witness: .standardOutput), opening.prompt(invocation),
        invocation.output)
    } catch  where error.code == .ambiguous {
      throw Failure(
        .ambiguous, error.message,
        hint: "Name its account, --label or --id, or open them all: --all --json")
    }
  }

  /// Opens every item that matches, in one context. The keychain sends them one by one, so that
  /// only one secret is on its way.
  private func several(
    _ query: ItemQuery, _ invocation: Invocation
  ) throws(Failure) -> [ItemWithSecret] {
    let session = try opening.session(invocation)
    let found = try session.items(
      of: selection, NameTolerance(witness: .standardOutput), invocation.output)
    let title = "Open \(ItemText.count(found.count)): \(ItemText.name(query))"
    let options = opening.prompt(invocation, otherwise: title)
    let context = try session.openContext()
    var opened: [ItemWithSecret] = []
    for item in found where item.itemClass != .certificate {
      do throws(Failure) {
        opened.append(
          ItemWithSecret(
            try session.ask(
              GetItem(query: ItemQuery(naming: item, among: query)), options, in: context)))
      } catch {
        switch error.code {
        // It has been removed meanwhile.
        case .errSecItemNotFound: continue
        case .errSecDecode, .errSecAuthFailed, .stateDamaged:
          throw Failure(error.code, "\(ItemText.name(item)): \(error.message)", hint: error.hint)
        default: throw error
        }
      }
    }
    guard !opened.isEmpty else {
      throw .noSuchItem
    }
    try context.invalidate()
    return opened
  }
}

/// An item with its secret, as an element of a list.
final class ItemWithSecret {
  let item: GotItem

  init(_ item: consuming GotItem) { self.item = item }
}

struct ItemCopyCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "copy", "Copy an item's secret to the clipboard, and clear it after a while.",
    discussion: """
      The secret stays until the time is over or you press Ctrl-C. Something else that was copied \
      meanwhile stays.

          authcore item copy mail ann
          authcore item copy mail ann --clear-after 10

      wl-copy, xclip or xsel reaches the clipboard of a desktop. Over SSH, or with --osc52, the \
      terminal sets its own clipboard. That cannot be read, so it is cleared whatever it holds by \
      then.
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var clipboard: ClipboardOptions
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    _ = try selection.selectingQuery()
    try opening.check()
    let board = try clipboard.clipboard()
    let item = try opening.session(invocation).open(
      selection, NameTolerance(witness: .standardError), opening.prompt(invocation),
      invocation.output)
    try clipboard.keep(item.secret, named: ItemText.name(item.attributes), on: board, invocation)
  }
}
