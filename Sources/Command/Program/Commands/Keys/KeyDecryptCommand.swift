import ArgumentParser
import CoreClient
import Cryptography
import Protocol

/// `authcore key decrypt`
struct KeyDecryptCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt",
    abstract: "Decrypt standard input, which was encrypted for a key, to standard output.",
    discussion: "Asks for what the key says: a touch, the passcode.")

  @OptionGroup var key: KeyName
  @OptionGroup var useOptions: KeyUseOptions
  @OptionGroup var options: GlobalOptions

  var unlocks: Bool { true }

  func run(_ invocation: Invocation) throws(Failure) -> CommandEnd {
    let use = try useOptions.use(of: key, invocation)
    let limit = largestItemSecret + ECIES.overhead
    let sealed = try use.input.read(limit: limit)
    guard let sealed, sealed.count >= ECIES.overhead else {
      throw Failure(
        .usage, "Standard input holds nothing that was encrypted for a key",
        hint: "That has \(ECIES.overhead) to \(limit) bytes; give them as they are, not in base64.")
    }
    let input = sealed.bytes.indices.map { sealed.bytes[$0] }
    let reply = try use.output(.decrypt, of: input, invocation)
    invocation.output.data("data", reply.output.bytes)
    if !invocation.output.isJSON { invocation.output.endSecretOnTerminal() }
    return .done
  }
}
