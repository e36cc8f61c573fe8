import ArgumentParser
import Protocol

/// `--accessible`: when an item can be reached.
struct AccessibleOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Accessibility.allCases.map(\.name).joined(separator: ", ") + ".",
      valueName: "class"),
    completion: .list(Accessibility.allCases.map(\.name)))
  var accessible: String?

  /// - Throws: `usage` for a class that there is not.
  func accessibility() throws(Failure) -> Accessibility? {
    guard let accessible else { return nil }
    guard let accessibility = Accessibility(name: accessible) else {
      throw .noAccessibility(
        accessible, "The classes: " + Accessibility.allCases.map(\.name).joined(separator: ", "))
    }
    return accessibility
  }

  /// Sets the class of an item whose access control is set already.
  /// - Throws: `usage`, also for a class that the access control rules out.
  func apply(to attributes: inout ItemAttributes) throws(Failure) {
    guard let accessibility = try accessibility() else { return }
    guard attributes.accessControl == nil || accessibility.isThisDeviceOnly else {
      throw .usage(
        "An item with --access never leaves this device, and \(accessibility.name) may",
        hint: "Name \(accessibility.onThisDeviceOnly.name), or no class.")
    }
    attributes.accessibility = accessibility
  }
}

extension Failure {
  static func noAccessibility(_ name: String, _ hint: String) -> Failure {
    Failure(.usage, "There is no accessibility class \u{201C}\(name)\u{201D}", hint: hint)
  }
}

/// What guards an item or a key that is added: `--access`, `--strict-match`.
struct AccessOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What has to be proved to use it.", valueName: "constraints"))
  var access: String?

  @Flag(help: "With --access: refuse a finger that matches only at a relaxed rate.")
  var strictMatch = false
  func control(isReusable: Bool = false) throws(Failure) -> AccessControl? {
    guard let access else {
      guard !strictMatch else {
        throw .usage(
          "--strict-match without --access guards nothing",
          hint: "Say what is to be proved, such as: --access biometry-any")
      }
      return nil
    }
    return try ItemText.accessControl(access, isStrict: strictMatch, isReusable: isReusable)
  }
}

/// What guards an item that is added, and when it can be reached.
struct ItemProtectionOptions: ParsableArguments {
  @OptionGroup var reach: AccessibleOption
  @OptionGroup var guarding: AccessOptions

  /// Guards what is about to be added.
  func apply(to attributes: inout ItemAttributes) throws(Failure) {
    attributes.accessControl = try guarding.control()
    try reach.apply(to: &attributes)
  }
}

/// What applies to every item of an import: `--group`, `--accessible`, `--access`.
struct ImportedItemOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The access group that the items come into. Without it: the command's own.",
      valueName: "name"))
  var group: String?

  @OptionGroup private var reach: AccessibleOption

  @Option(
    help: ArgumentHelp(
      "What has to be proved to open each of them, as for item add. No application password.",
      valueName: "constraints"))
  var access: String?

  /// Group, accessibility and access control of what is added, and nothing else.
  func attributes() throws(Failure) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.group = group ?? ""
    if let access {
      let control = try ItemText.accessControl(access, isStrict: false)
      guard !control.needsAppPassword else {
        throw .usage(
          "One application password would guard everything that is imported",
          hint: "Import without it, and give items their own: authcore item update --set-access")
      }
      attributes.accessControl = control
    }
    try reach.apply(to: &attributes)
    return attributes
  }
}

extension ItemSelection {
  /// A new item of these names.
  /// - Throws: `usage` if it has none, and for what guards it.
  func newItem(_ protection: ItemProtectionOptions) throws(Failure) -> ItemAttributes {
    let query = try query()
    guard !isEmpty else {
      throw .usage("An item needs a name", hint: "Give it a SERVICE and an ACCOUNT, or a --label.")
    }
    guard id == nil else {
      throw .usage("The keychain gives an item its identifier", hint: "Leave --id out.")
    }
    var attributes = ItemAttributes()
    // Only internet passwords have a server.
    attributes.itemClass = query.itemClass ?? (query.server == nil ? .generic : .internet)
    attributes.values = query.terms.applied(to: AttributeValues())
    attributes.group = query.group ?? ""
    try protection.apply(to: &attributes)
    return attributes
  }
}
