import ArgumentParser
import Protocol

/// What guards an item that is added: `--accessible`, `--access`, `--strict-match`.
struct ItemProtectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Accessibility.allCases.map(\.name).joined(separator: ", ") + ".",
      valueName: "class"),
    completion: .list(Accessibility.allCases.map(\.name)))
  var accessible: String?

  @Option(
    help: ArgumentHelp("What has to be proved to open it.", valueName: "constraints"))
  var access: String?

  @Flag(help: "With --access: refuse a finger that matches at a relaxed rate only.")
  var strictMatch = false

  /// Guards what is about to be added.
  /// - Throws: `usage` for what there is not, and for what does not go together.
  func apply(to attributes: inout ItemAttributes) throws(Failure) {
    if let accessibility = try accessibility() {
      guard access == nil || accessibility.isThisDeviceOnly else {
        throw Failure(
          .usage, "An item with --access never leaves this device, and \(accessibility.name) may",
          hint: "Name \(accessibility.onThisDeviceOnly.name), or no class.")
      }
      attributes.accessibility = accessibility
    }
    guard access != nil || !strictMatch else {
      throw Failure(
        .usage, "--strict-match without --access guards nothing",
        hint: "Say what opens the item, such as: --access biometry-any")
    }
    if let access {
      attributes.accessControl = try ItemText.accessControl(access, isStrict: strictMatch)
    }
  }

  /// The class that `--accessible` names.
  func accessibility() throws(Failure) -> Accessibility? {
    guard let accessible else { return nil }
    guard let accessibility = Accessibility(name: accessible) else {
      throw Failure(
        .usage, "There is no accessibility class \u{201C}\(accessible)\u{201D}",
        hint: "The classes: " + Accessibility.allCases.map(\.name).joined(separator: ", "))
    }
    return accessibility
  }
}

extension ItemSelection {
  /// A new item of these names.
  /// - Throws: `usage` where it has none, and for what it is guarded by.
  func newItem(_ protection: ItemProtectionOptions) throws(Failure) -> ItemAttributes {
    let query = try query()
    guard !isEmpty else {
      throw Failure(
        .usage, "An item needs a name", hint: "Give it a SERVICE and an ACCOUNT, or a --label.")
    }
    guard id == nil else {
      throw Failure(
        .usage, "The keychain gives an item its identifier", hint: "Leave --id out.")
    }
    var attributes = ItemAttributes()
    // A server is what internet passwords have.
    attributes.itemClass = query.itemClass ?? (query.server == nil ? .generic : .internet)
    attributes.values = query.terms.applied(to: AttributeValues())
    attributes.group = query.group ?? ""
    try protection.apply(to: &attributes)
    return attributes
  }
}

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
