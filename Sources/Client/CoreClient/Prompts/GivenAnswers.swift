package import Protocol

/// What answers prompts in place of a person: `--answer`, a passcode that was given, an application
/// password. The thread of the requests.
package final class GivenAnswers {
  /// Where a secret comes from that need not be asked for.
  package protocol Secret: AnyObject {
    /// A copy of the secret.
    func read() throws(Failure) -> SecretBytes
  }

  /// One that a person typed for an earlier prompt.
  private final class TypedBefore: Secret {
    private let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
    func read() throws(Failure) -> SecretBytes { secret.duplicate() }
  }

  /// What answers every prompt.
  let answer: PromptMachine.GivenAnswer?
  /// The owner's passcode.
  package var passcode: (any Secret)?
  /// The password of what is opened.
  package var appPassword: (any Secret)?
  /// Whether the passcode that is typed next answers the prompts of later requests, too.
  package var keepsTypedPasscode = false
  private var kept: (any Secret)?

  /// By default nothing is given.
  package init(answer: PromptMachine.GivenAnswer? = nil, passcode: (any Secret)? = nil) {
    (self.answer, self.passcode) = (answer, passcode)
  }

  /// Which secrets are there.
  var secrets: Set<PromptedSecret> {
    var secrets: Set<PromptedSecret> = []
    if passcode != nil { secrets.insert(.passcode) }
    if appPassword != nil { secrets.insert(.appPassword) }
    return secrets
  }

  /// A copy of one that was given; nil if none was.
  func given(_ secret: PromptedSecret) throws(Failure) -> SecretBytes? {
    switch secret {
    case .passcode: try passcode?.read()
    case .appPassword: try appPassword?.read()
    }
  }

  /// A person has typed one, as it came.
  func wasTyped(_ secret: PromptedSecret, _ typed: borrowing SecretBytes) {
    guard keepsTypedPasscode, secret == .passcode else { return }
    kept = TypedBefore(typed.duplicate())
  }

  /// A request is over: a passcode that was typed during it answers later ones.
  func requestEnded() {
    if let kept { passcode = kept }
  }
}
