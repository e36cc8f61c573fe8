import ArgumentParser
import CoreClient
import Protocol

struct ItemAddCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "add", "Add an item. Its secret comes from standard input or the terminal.",
    discussion: """
      --access says what opens the item: presence (a finger or the passcode), biometry-any, \
      biometry-current (nothing opens it once the fingers have changed) or passcode. Join several \
      with and, or with or. app-password is a password of the item's own, which becomes part of \
      its key. It is always needed, however it is joined.

          printf %s "$TOKEN" | authcore item add mail --access presence

      A certificate is no secret. It is read from standard input or --file, in DER or PEM, which \
      may hold several. It is found by what it says about itself.

          authcore item add --class certificate --file chain.pem
      """)

  @OptionGroup var selection: ItemSelection
  @OptionGroup var protection: ItemProtectionOptions

  @Option(
    help: ArgumentHelp("With --class certificate: the file to read.", valueName: "path"),
    completion: .file())
  var file: String?

  @OptionGroup var input: SecretInputOptions
  @OptionGroup var appPassword: SecretOptions<AppPassword>
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  func run(_ invocation: Invocation) throws(Failure) {
    guard selection.itemClass != ItemClass.certificate.name else {
      return try addCertificates(invocation)
    }
    guard file == nil else {
      throw .usage(
        "--file is for certificates; a secret comes from standard input",
        hint: "In a shell: authcore item add … < FILE")
    }
    let attributes = try selection.newItem(protection)
    let given = try appPassword.answering(invocation)
    let secret = try invocation.itemSecret(input, beside: [given])
    let reply: ItemAdded = try invocation.seal(
      AddItem(attributes: attributes, secret: secret), under: attributes.accessControl,
      that: protection.guarding.access, given)
    invocation.output.result(
      .object(["item": reply.attributes.json]), ["Added " + ItemText.name(reply.attributes) + "."])
  }

  private func addCertificates(_ invocation: Invocation) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.itemClass = .certificate
    let query = try selection.query()
    guard query.terms.names.allSatisfy({ $0 == .label }), selection.id == nil else {
      throw .usage(
        "A certificate has no other names than its own",
        hint: "Only --label, --group and --accessible can be given with it.")
    }
    guard protection.guarding.access == nil, !protection.guarding.strictMatch,
      try appPassword.answering(invocation) == nil
    else {
      throw .usage(
        "A certificate is public, and nothing has to be proved to read it",
        hint: "Leave --access out. Guard its key instead: authcore key create")
    }
    attributes.label = query.label ?? ""
    attributes.group = query.group ?? ""
    attributes.accessibility = try protection.reach.accessibility() ?? attributes.accessibility
    return try CertificateAdding(attributes: attributes, file: file).run(invocation)
  }
}

struct ItemGenerateCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "generate", "Make up a secret and add it as an item, without showing it.",
    discussion: """
      Every character or word is as likely as any other. The kernel's random generator chooses.

          authcore item generate github ann --access presence
          authcore item generate wifi --words 7 --show
          authcore item generate door --alphabet digits --length 20

      authcore item copy puts it on the clipboard.
      """)

  @OptionGroup var selection: ItemSelection

  @Option(help: ArgumentHelp("How many characters.", valueName: "n"))
  var length: Int?

  @Option(
    help: ArgumentHelp(
      "Which characters: " + Alphabet.allCases.map(\.rawValue).joined(separator: ", ")
        + ". Join several with +.", valueName: "names"),
    completion: .list(Alphabet.allCases.map(\.rawValue)))
  var alphabet: String?

  @Option(help: ArgumentHelp("The characters to choose from.", valueName: "set"))
  var characters: String?

  @Option(help: ArgumentHelp("Use this many words instead, with - between them.", valueName: "n"))
  var words: Int?

  @Flag(help: "Print the secret too.")
  var show = false

  @OptionGroup var protection: ItemProtectionOptions
  @OptionGroup var appPassword: SecretOptions<AppPassword>
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  private static let usualLength = 20
  private static let usualAlphabet = "letters+digits+symbols"
  /// With fewer bits, a secret may be found by trying if there is something to compare with.
  private static let advisedBits = 64.0

  func run(_ invocation: Invocation) throws(Failure) {
    let recipe = try recipe()
    let attributes = try selection.newItem(protection)
    guard [.generic, .internet, .note].contains(attributes.itemClass) else {
      throw .usage(
        "An item of the class \(attributes.itemClass.name) has no secret to make up",
        hint: "Leave --class out.")
    }
    let given = try appPassword.answering(invocation)
    let secret = try recipe.make()
    let reply: ItemAdded = try invocation.seal(
      AddItem(attributes: attributes, secret: secret.duplicate()),
      under: attributes.accessControl, that: protection.guarding.access, given)
    tell(of: reply.attributes, secret, recipe, invocation.output)
  }

  private func recipe() throws(Failure) -> SecretRecipe {
    if let words {
      guard length == nil, alphabet == nil, characters == nil else {
        throw .usage(
          "--words makes no secret of characters",
          hint: "Leave --words out, or --length, --alphabet and --characters.")
      }
      return try .words(count: words)
    }
    guard alphabet == nil || characters == nil else {
      throw .usage("--alphabet and --characters both say which characters", hint: "Leave one out.")
    }
    let length = length ?? Self.usualLength
    if let characters { return try .characters(characters, count: length) }
    return try .characters(
      Alphabet.characters(named: alphabet ?? Self.usualAlphabet), count: length)
  }

  private func tell(
    of item: ItemAttributes, _ secret: borrowing SecretBytes, _ recipe: SecretRecipe,
    _ output: Output
  ) {
    let bits = Int(recipe.bits)
    if recipe.bits < Self.advisedBits {
      output.note(
        "A secret of \(bits) bits can be found by trying. Use \(Int(Self.advisedBits)) or more."
      )
    }
    guard output.isJSON else {
      let sentence = "Added \(ItemText.name(item)): a secret of \(bits) bits."
      guard show else {
        output.line(sentence)
        return
      }
      // Standard output carries the secret alone.
      output.note(sentence)
      output.secret(secret.bytes)
      output.secret("\n")
      return
    }
    output.secret("{\"item\":\(item.json.text),\"bits\":\(bits)")
    if show { output.writeSecretMember(secret) }
    output.secret("}")
    output.endObject()
  }
}
