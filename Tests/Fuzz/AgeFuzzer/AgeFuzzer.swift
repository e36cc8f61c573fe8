import Cryptography
import Protocol

@testable import AgeMachines

/// Feeds both machines of the plugin of age, and reads recipients and identities. What is read must
/// be written as it was, and a file key is only asked for by a stanza for the key.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 1 else { return 0 }
  let span = unsafe Span(_unsafeStart: bytes, count: count)
  let input = span.indices.map { span[$0] }
  let text = String(decoding: input, as: UTF8.self)
  if let (prefix, payload) = Bech32.decoded(text) {
    precondition(Bech32.encoded(payload, prefix: prefix) == text.lowercased())
  }
  if let recipient = try? AgeRecipient(text) {
    precondition((try? AgeRecipient(recipient.text)) == recipient)
  }
  if let digits = Base64.decoded(unpadded: span) {
    precondition(Base64.encoded(unpadded: digits.bytes).isEqual(to: span))
  }
  run(RecipientMachine.self, input.dropFirst(), inPartsOf: Int(input[0]) + 1)
  run(IdentityMachine.self, input.dropFirst(), inPartsOf: Int(input[0]) + 1)
  return 0
}

private func run<Machine: PluginMachine>(
  _ machine: Machine.Type, _ input: ArraySlice<UInt8>, inPartsOf size: Int
) {
  var rest = input + Array(String(repeating: "-> ok\n\n", count: 8).utf8)
  var reader = StanzaReader { buffer, start in
    let part = rest.prefix(min(size, buffer.count - start))
    rest = rest.dropFirst(part.count)
    buffer.copy(Array(part).span, at: start)
    return part.count
  }
  do throws(Failure) {
    try Machine.run(NoKeys(), reading: &reader) { (stanza) throws(Failure) in
      precondition(stanza.encoded().count > 0)
    }
  } catch {
    precondition(error.code == .usage)
  }
}

/// An enclave that has no key, and must be asked only for what a tag names.
private struct NoKeys: AgeKeys {
  func recipient(of identity: AgeIdentity) throws(Failure) -> AgeRecipient {
    throw Failure(.errSecItemNotFound, "none")
  }

  func fileKey(in stanza: TaggedStanza, for identity: AgeIdentity) throws(Failure) -> SecretBytes {
    precondition((try? stanza.isFor(identity)) == true)
    throw Failure(.userCancel, "no")
  }
}
