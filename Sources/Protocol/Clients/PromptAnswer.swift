/// Client → core: what the person did with a ``Prompt``. Has no reply of its own; an answer to a
/// prompt that is over is ignored.
package struct PromptAnswer: WireMessage, ~Copyable {
  package static var number: UInt8 { 9 }

  /// The kinds of answer.
  package enum Kind: UInt8, WireField {
    /// The prompt is on the screen: captures may start. Another answer may follow.
    case shown = 1
    case cancel = 2
    case fallback = 3
    /// `passcode` holds what was given: the passcode, or the ``PromptedSecret`` that was asked for.
    case passcode = 4
    /// Nobody here can give a (further) one.
    case noPasscode = 5
    /// As `passcode`, where strangers may type: a wrong one is delayed as any other, and brings the
    /// destruction of everything (``SetPasscode/eraseAfter``) no nearer. Only to unlock and to
    /// authenticate.
    case harmlessPasscode = 6
  }

  /// The number of the prompt.
  package let prompt: UInt32
  package let kind: Kind
  /// Empty unless `kind` is `passcode` or `harmlessPasscode`. In normalization form C where it is UTF-8: a client
  /// normalizes what a person types. Empty, too, where that is longer than any passcode.
  package let passcode: SecretBytes
  /// The owner's passcode as it was typed, where that differs: earlier versions set it so. Else
  /// empty.
  package let asTyped: SecretBytes

  package init(
    prompt: UInt32, kind: Kind, passcode: consuming SecretBytes = SecretBytes(count: 0),
    asTyped: consuming SecretBytes = SecretBytes(count: 0)
  ) {
    self.prompt = prompt
    self.kind = kind
    self.passcode = passcode
    self.asTyped = asTyped
  }

  package borrowing func encode(into encoder: inout WireEncoder) {
    encoder.write(prompt, kind)
    encoder.writeSecret(passcode)
    encoder.writeSecret(asTyped)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    let (prompt, kind): (UInt32, Kind) = try decoder.read()
    let passcode = try decoder.readSecret(limit: longestPasscode)
    let asTyped = try decoder.readSecret(limit: longestPasscode)
    self.init(prompt: prompt, kind: kind, passcode: passcode, asTyped: asTyped)
  }
}
