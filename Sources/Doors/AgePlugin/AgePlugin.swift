import BuildIdentity
import CoreClient
import Cryptography
import Glibc
import LinuxSystem
import Protocol

/// `age-plugin-authcore`, also `age-plugin-tag`: a plugin of age and rage, whose files open with
/// keys of the enclave.
@main
enum AgePlugin {
  private static let usage = """
    Usage: age-plugin-authcore --generate NAME [--access CONSTRAINTS]
           age-plugin-authcore --identity NAME
           age-plugin-authcore --list

    Lets age and rage decrypt with keys of the enclave.

      --generate NAME       make a key, and print an identity file for it
      --access CONSTRAINTS  what decrypting asks for, such as presence, as for authcore key create
      --identity NAME       print an identity file for a key that is there
      --list                print the recipients of all keys
      --version             say which version this is
      --help                say this

        age-plugin-authcore --generate files --access presence > identity
        age -r "$(authcore key public files --format age)" -o secret.age secret
        age -d -i identity secret.age
    """

  static func main() {
    // A client that is gone is seen when writing to it fails.
    _ = signal(SIGPIPE, SIG_IGN)
    do throws(Failure) {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let lines = ["age-plugin-authcore: \(error.message)"] + [error.hint].compactMap(\.self)
      StandardError.say(lines.joined(separator: "\n"))
      exit(error.code.exitCode)
    }
  }

  private static func run(_ arguments: [String]) throws(Failure) {
    switch (arguments.first, arguments.count) {
    case ("--help", 1), ("-h", 1): print(usage)
    case ("--version", 1): print(BuildIdentity.text(of: "age-plugin-authcore"))
    case ("--age-plugin=recipient-v1", 1): try converse(RecipientMachine.self)
    case ("--age-plugin=identity-v1", 1): try converse(IdentityMachine.self)
    case ("--list", 1):
      for key in try EnclaveKeys().all() {
        print("# \(key.name.withoutSteering)\n\(AgeRecipient(try key.point()).text)")
      }
    case ("--identity", 2): try show(EnclaveKeys().key(named: arguments[1]))
    case ("--generate", 2): try show(EnclaveKeys().make(arguments[1], nil))
    case ("--generate", 4) where arguments[2] == "--access":
      try show(EnclaveKeys().make(arguments[1], control(arguments[3])))
    case (nil, _): throw Failure(.usage, "Nothing says what to do", hint: usage)
    default:
      let words = arguments.joined(separator: " ").withoutSteering
      throw Failure(.usage, "Unknown arguments: \(words)", hint: usage)
    }
  }

  private static func control(_ text: String) throws(Failure) -> AccessControl {
    do throws(AccessControl.Problem) {
      return try AccessControl(parsing: text)
    } catch {
      throw Failure(
        .usage, "--access \(text.withoutSteering) is not understood",
        hint: "Constraints: presence, biometry-any, biometry-current, passcode.")
    }
  }

  /// Prints an identity file.
  private static func show(_ key: EnclaveKey) throws(Failure) {
    let point = try key.point()
    let identity = try cryptographic { () throws(CryptographyError) in try AgeIdentity(of: point) }
    print(
      """
      # name: \(key.name.withoutSteering)
      # created: \(Timestamp.text(key.createdAt))
      # recipient: \(AgeRecipient(point).text)
      \(identity.text)
      """)
  }

  private static func converse(_ machine: (some PluginMachine).Type) throws(Failure) {
    var reader = StanzaReader { DescriptorBytes.fill(&$0, from: $1, of: STDIN_FILENO) }
    try machine.run(EnclaveKeys(), reading: &reader) { (stanza) throws(Failure) in
      guard DescriptorBytes.write(stanza.encoded().bytes, to: STDOUT_FILENO) else {
        throw Failure(.storageFailed, "Standard output cannot be written", hint: nil)
      }
    }
  }
}
