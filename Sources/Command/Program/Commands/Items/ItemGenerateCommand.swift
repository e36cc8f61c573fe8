import ArgumentParser
import Protocol

struct ItemGenerateCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make up a secret and add it as an item, without showing it.",
    discussion: """
      Every character, or every word, is as likely as any other; the kernel's random generator chooses.

          authcore item generate github ann --access presence
          authcore item generate wifi --words 7 --show
          authcore item generate door --alphabet digits --length 20

      authcore item copy puts it where it is to be pasted.
      """)

  @OptionGroup var selection: ItemSelection

  @Option(help: ArgumentHelp("How many characters.", valueName: "n"))
  var length: Int?

  @Option(
    help: ArgumentHelp(
      "What they are: " + Alphabet.allCases.map(\.rawValue).joined(separator: ", ")
        + "; several joined by +.", valueName: "names"),
    completion: .list(Alphabet.allCases.map(\.rawValue)))
  var alphabet: String?

  @Option(help: ArgumentHelp("The very characters to choose from.", valueName: "set"))
  var characters: String?

  @Option(help: ArgumentHelp("So many words instead, with - between them.", valueName: "n"))
  var words: Int?

  @Flag(help: "Print the secret, too.")
  var show = false

  @OptionGroup var protection: ItemProtectionOptions
  @OptionGroup var appPassword: AppPasswordOptions
  @OptionGroup var options: GlobalOptions

  var missingStateFolder: MissingStateFolder { .made }

  private static let usualLength = 20
  private static let usualAlphabet = "letters+digits+symbols"
  /// Below it whoever gets hold of something to compare with may find it by trying.
  private static let advisedBits = 64.0

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let recipe = try recipe()
    let attributes = try selection.newItem(protection)
    guard [.generic, .internet, .note].contains(attributes.itemClass) else {
      throw Failure(
        .usage, "An item of the class \(attributes.itemClass.name) has no secret to make up",
        hint: "Leave --class out.")
    }
    let given = try appPassword.given(invocation)
    let secret = try recipe.make()
    let reply: ItemAdded = try invocation.seal(
      AddItem(attributes: attributes, secret: secret.duplicate()),
      under: attributes.accessControl, that: protection.access, given)
    tell(of: reply.attributes, secret, recipe, invocation.output)
    return .done
  }

  private func recipe() throws(Failure) -> SecretRecipe {
    if let words {
      guard length == nil, alphabet == nil, characters == nil else {
        throw Failure(
          .usage, "A secret is of words or of characters",
          hint: "Leave --words out, or --length, --alphabet and --characters.")
      }
      return try .words(count: words)
    }
    guard alphabet == nil || characters == nil else {
      throw Failure(
        .usage, "--alphabet and --characters both say which characters", hint: "Leave one out.")
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
        "A secret of \(bits) bits can be found by trying; take one of \(Int(Self.advisedBits)) or more."
      )
    }
    guard output.isJSON else {
      let sentence = "Added \(ItemText.name(item)): a secret of \(bits) bits."
      guard show else {
        output.line(sentence)
        return
      }
      // Standard output is the secret, for whoever reads on.
      output.note(sentence)
      output.secret(secret.bytes)
      output.secret([UInt8(ascii: "\n")].span)
      return
    }
    output.secret(Array("{\"item\":\(item.json.text),\"bits\":\(bits)".utf8).span)
    if show { output.writeSecretMember(secret) }
    output.secret([UInt8(ascii: "}")].span)
    output.endObject()
  }
}
