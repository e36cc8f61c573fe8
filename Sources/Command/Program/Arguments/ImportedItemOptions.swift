import ArgumentParser
import Protocol

/// What applies to every item of an import: `--group`, `--accessible`, `--access`.
struct ImportedItemOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The access group that the items come into; else it is the command's own.",
      valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "When they can be reached: " + Accessibility.allCases.map(\.name).joined(separator: ", ")
        + ".", valueName: "class"), completion: .list(Accessibility.allCases.map(\.name)))
  var accessible: String?

  @Option(
    help: ArgumentHelp(
      "What has to be proved to open each of them, as for item add; no application password.",
      valueName: "constraints"))
  var access: String?

  /// Group, accessibility and access control of what is added; nothing else.
  /// - Throws: `usage`.
  func attributes() throws(Failure) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.group = group ?? ""
    if let access {
      let control = try ItemText.accessControl(access, isStrict: false)
      guard !control.needsAppPassword else {
        throw Failure(
          .usage, "One application password would guard everything that is imported",
          hint: "Import without it, and give items their own: authcore item update --set-access")
      }
      attributes.accessControl = control
    }
    if let accessible {
      guard let accessibility = Accessibility(name: accessible) else {
        throw Failure(
          .usage, "There is no accessibility class \u{201C}\(accessible)\u{201D}",
          hint: "The classes: " + Accessibility.allCases.map(\.name).joined(separator: ", "))
      }
      guard access == nil || accessibility.isThisDeviceOnly else {
        throw Failure(
          .usage, "An item with --access never leaves this device, and \(accessibility.name) may",
          hint: "Name \(accessibility.onThisDeviceOnly.name), or no class.")
      }
      attributes.accessibility = accessibility
    }
    return attributes
  }
}
