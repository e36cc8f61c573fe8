import ArgumentParser
import Protocol

/// `authcore item copy`
struct ItemCopyCommand: ClientCommand {
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

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    _ = try selection.selectingQuery()
    try opening.check()
    let board = try clipboard.clipboard()
    let item = try opening.session(invocation).open(
      selection, NameTolerance(witness: .standardError), opening.prompt(invocation),
      invocation.output)
    try clipboard.keep(
      item.secret, named: ItemText.name(item.attributes), on: board, invocation)
    return .done
  }
}
