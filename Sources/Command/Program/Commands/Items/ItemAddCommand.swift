import ArgumentParser
import CoreClient
import Protocol

struct ItemAddCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an item; its secret comes from standard input or the terminal.",
    discussion: """
      --access says what opens it: presence (a finger or the passcode), biometry-any, \
      biometry-current (nothing once the set of fingers changed), passcode; several joined by and, \
      or by or. app-password is a password of the item's own, which enters its key: it is needed \
      besides, however it is joined.

          printf %s "$TOKEN" | authcore item add mail --access presence

      A certificate is no secret. It is read from standard input or --file, in DER or PEM, where there \
      may be several; what it says of itself is what it is found by.

          authcore item add --class certificate --file chain.pem
      """)

  @OptionGroup var selection: ItemSelection

  @OptionGroup var protection: ItemProtectionOptions

  @Option(
    help: ArgumentHelp("With --class certificate: the file that it is in.", valueName: "path"),
    completion: .file())
  var file: String?

  @OptionGroup var input: SecretInputOptions
  @OptionGroup var appPassword: AppPasswordOptions

  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    guard selection.itemClass != ItemClass.certificate.name else {
      return try addCertificates(invocation)
    }
    guard file == nil else {
      throw Failure(
        .usage, "--file is for certificates; a secret comes from standard input",
        hint: "In a shell: authcore item add … < FILE")
    }
    let attributes = try selection.newItem(protection)
    let given = try appPassword.given(invocation)
    let secret = try invocation.itemSecret(input, beside: [given])
    let reply: ItemAdded = try invocation.seal(
      AddItem(attributes: attributes, secret: secret), under: attributes.accessControl,
      that: protection.access, given)
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
    guard protection.access == nil, !protection.strictMatch,
      try appPassword.given(invocation) == nil
    else {
      throw Failure(
        .usage, "A certificate is public, and nothing has to be proved to read it",
        hint: "Leave --access out. What is to be guarded is its key: authcore key create")
    }
    attributes.label = query.label ?? ""
    attributes.group = query.group ?? ""
    attributes.accessibility = try protection.accessibility() ?? attributes.accessibility
    return try CertificateAdding(attributes: attributes, file: file).run(invocation)
  }
}
