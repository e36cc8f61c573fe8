import Protocol

@testable import AuthCore

extension Reaction {
  /// What it says, short enough to compare: its effects, then what is next.
  var words: [String] {
    effects.map { effect in
      switch effect {
      case .openSensor: "open sensor"
      case .openSession: "open session"
      case .closeSession: "close session"
      case .show(let content): content.awaitsTouch ? "show touch" : "show \(content.secret)"
      case .tell(let progress): "tell \(progress)"
      case .noteProof: "proof"
      }
    } + [nextWord]
  }

  private var nextWord: String {
    switch next {
    case .askPolicy(let moment): "ask after \(moment.progress.lastEvent)"
    case .wait(let milliseconds): "wait \(milliseconds.map(String.init) ?? "for ever")"
    case .capture(let milliseconds): "capture \(milliseconds)"
    case .stopCapture: "stop"
    case .verify: "verify"
    case .giveAppPassword: "give"
    case .finish: "finish"
    case .fail(let failure): "fail \(failure.code)"
    }
  }

  var moment: PolicyMoment? {
    if case .askPolicy(let moment) = next { moment } else { nil }
  }
}

extension RequestMachine {
  /// Feeds one event and gives the reaction's words.
  mutating func words(_ event: MachineEvent, after milliseconds: UInt32 = 0) -> [String] {
    handle(event, after: milliseconds).words
  }
}

extension MachineEvent {
  static let match = MachineEvent.outcome(
    .matched(finger: "thumb", score: 20, threshold: 12))
  static let miss = MachineEvent.outcome(
    .missed(score: 3, threshold: 12, misses: 1, isLockedOut: false))
  static let dry = MachineEvent.outcome(.retry(reason: 2))

  static func ended(_ status: Int, _ message: String = "") -> MachineEvent {
    .outcome(.ended(status: Int32(status), message: message))
  }

  static func passcode() -> MachineEvent {
    .answer(.passcodeGiven(SharedSecret(SecretBytes(count: 4))))
  }

  static func taken(_ touches: UInt32, complete: Bool = false) -> MachineEvent {
    .outcome(
      .taken(TakenTouch(touches: touches, coverage: 0.5, isComplete: complete, advice: nil)))
  }
}
