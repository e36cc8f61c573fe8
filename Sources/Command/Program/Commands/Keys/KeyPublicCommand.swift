import ArgumentParser
import Cryptography
import Protocol

struct KeyPublicCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "public", abstract: "Write a key's public half to standard output.",
    discussion: """
      pem is what OpenSSL reads, ssh is a line for authorized_keys, sec1 is the point itself: 65 \
      bytes. With --json: the same without the text around it, in base64.
      """)

  /// How a public key is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case pem
    case ssh
    case sec1
  }

  @OptionGroup var key: KeyName

  @Option(help: "pem, ssh or sec1.")
  var format = Format.pem

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let query = try key.query()
    let key = try invocation.openSession().key(query)
    let output = invocation.output
    let bytes =
      switch format {
      case .pem: try key.point().subjectPublicKeyInfo
      case .ssh: try key.point().openSSHBlob
      case .sec1: key.publicKey
      }
    if output.isJSON || format == .sec1 {
      output.data("publicKey", bytes.span)
    } else {
      output.result(
        .object([:]), format == .pem ? KeyText.pem(bytes) : [KeyText.sshLine(key, bytes)])
    }
    return .done
  }
}
