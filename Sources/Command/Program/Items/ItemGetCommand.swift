import ArgumentParser
import CoreClient
import Protocol

struct ItemGetCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write an item's secret to standard output, as it is.",
    discussion:
      """
      A plain argument is a service, a server, a label or an address, all of it or, on a terminal, \
      the beginning of a word: what is nearest is used, and said if the name is not whole.

      Asks for what the item says: a touch, the passcode. With --all --json several items are opened \
      at once: what was proved for one serves the others for up to five minutes, so that items that \
      ask for the same bring one prompt. Either all of them are written or none. Certificates have no \
      secret, and are not among them.

      With --class certificate it writes certificates, and asks for nothing: one in DER, or any number \
      with --pem or --json.
      """
  )

  @OptionGroup var selection: ItemSelection

  @Flag(
    help: """
      Open all items that match, not only one; with --json only, or --pem where they are certificates.
      """)
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
      throw Failure(
        .usage, "--pem is for certificates", hint: "Add --class certificate.")
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
      throw Failure(
        .usage, "--all writes several secrets, which only --json keeps apart",
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
          throw Failure(
            error.code, "\(ItemText.name(item)): \(error.message)", hint: error.hint)
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
    commandName: "copy",
    abstract: "Put an item's secret on the clipboard, and take it back after a while.",
    discussion: """
      It stays until the time is over or Ctrl-C, and takes back what is still the same: something else \
      that was copied meanwhile stays.

          authcore item copy mail ann
          authcore item copy mail ann --clear-after 10

      wl-copy, xclip or xsel reaches the clipboard of a desktop. Over SSH, or with --osc52, the terminal \
      is asked to set its own, which cannot be looked at: it is emptied whatever it holds by then.
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
    try clipboard.keep(
      item.secret, named: ItemText.name(item.attributes), on: board, invocation)
  }
}
