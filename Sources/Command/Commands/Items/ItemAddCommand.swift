import ArgumentParser
import AuthCoreClient
import ClientProtocol
import Wire

/// `authcore item add`
struct ItemAddCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an item; its secret comes from standard input or the terminal.",
    discussion: """
      --access says what opens it: presence (a finger or the passcode), biometry-any, \
      biometry-current (nothing once the set of fingers changed), passcode; several joined by and, \
      or by or. app-password is a password of the item's own, which enters its key: it is needed \
      besides, however it is joined.

          printf %s "$TOKEN" | authcore item add mail --access biometry-current

      A certificate is no secret. It is read from standard input or --file, in DER or PEM, where there \
      may be several; what it says of itself is what it is found by.

          authcore item add --class certificate --file chain.pem
      """)

  @OptionGroup var selection: ItemSelection

  @Option(
    help: ArgumentHelp(
      "When it can be reached: " + Accessibility.allCases.map(\.name).joined(separator: ", ") + ".",
      valueName: "class"),
    completion: .list(Accessibility.allCases.map(\.name)))
  var accessible: String?

  @Option(help: ArgumentHelp("What has to be proved to open it.", valueName: "constraints"))
  var access: String?

  @Flag(help: "With --access: refuse a finger that matches at a relaxed rate only.")
  var strictMatch = false

  @Option(
    help: ArgumentHelp("With --class certificate: the file that it is in.", valueName: "path"),
    completion: .file())
  var file: String?

  @OptionGroup var input: SecretInputOptions
  @OptionGroup var appPassword: AppPasswordOptions

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    guard selection.itemClass != ItemClass.certificate.name else {
      return try addCertificates(invocation)
    }
    guard file == nil else {
      throw Failure(
        .usage, "--file is for certificates; a secret comes from standard input",
        hint: "In a shell: authcore item add … < FILE")
    }
    let attributes = try attributes()
    let given = try appPassword.given(invocation)
    let secret = try invocation.itemSecret(input, beside: [given])
    let reply: ItemAdded = try invocation.seal(
      AddItem(attributes: attributes, secret: secret), under: attributes.accessControl,
      that: access, given)
    invocation.output.result(
      .object(["item": reply.attributes.json]),
      ["Added " + ItemText.name(reply.attributes) + "."])
    return .done
  }

  private func addCertificates(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    var attributes = ItemAttributes()
    attributes.itemClass = .certificate
    let query = try selection.query()
    guard query.terms.names.allSatisfy({ $0 == .label }), selection.id == nil else {
      throw Failure(
        .usage, "A certificate says itself what it is found by",
        hint: "Beside it there are --label, --group and --accessible.")
    }
    guard access == nil, !strictMatch, try appPassword.given(invocation) == nil else {
      throw Failure(
        .usage, "A certificate is public, and nothing has to be proved to read it",
        hint: "Leave --access out. What is to be guarded is its key: authcore key create")
    }
    attributes.label = query.label ?? ""
    attributes.group = query.group ?? ""
    attributes.accessibility = try accessibility() ?? attributes.accessibility
    return try CertificateAdding(attributes: attributes, file: file).run(invocation)
  }

  private func attributes() throws(Failure) -> ItemAttributes {
    let query = try selection.query()
    guard !selection.isEmpty else {
      throw Failure(
        .usage, "An item needs a name", hint: "Give it a SERVICE and an ACCOUNT, or a --label.")
    }
    guard selection.id == nil else {
      throw Failure(
        .usage, "The keychain gives an item its identifier", hint: "Leave --id out.")
    }
    var attributes = ItemAttributes()
    // A server is what internet passwords have.
    attributes.itemClass = query.itemClass ?? (query.server == nil ? .generic : .internet)
    attributes.values = query.terms.applied(to: AttributeValues())
    attributes.group = query.group ?? ""
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
    return attributes
  }

  /// The class that `--accessible` names.
  private func accessibility() throws(Failure) -> Accessibility? {
    guard let accessible else { return nil }
    guard let accessibility = Accessibility(name: accessible) else {
      throw Failure(
        .usage, "There is no accessibility class \u{201C}\(accessible)\u{201D}",
        hint: "The classes: " + Accessibility.allCases.map(\.name).joined(separator: ", "))
    }
    return accessibility
  }
}
