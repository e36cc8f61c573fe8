import AuthcoreABI
import Protocol
import Testing

@testable import AuthCore

@Suite("Enrollment as a machine")
struct EnrollmentMachineTests {
  private func machine(wanted: UInt32 = 0, retries: Int = 30) -> EnrollmentMachine {
    EnrollmentMachine(wanted: wanted, milliseconds: 1000, mostRetries: retries)
  }

  private func touching(wanted: UInt32 = 0, retries: Int = 30) -> EnrollmentMachine {
    var machine = machine(wanted: wanted, retries: retries)
    _ = machine.words(.begin)
    _ = machine.words(.answer(.shown))
    return machine
  }

  @Test("the enclave is asked before the person, and each touch has the whole time")
  func order() {
    var machine = machine()
    #expect(machine.words(.begin) == ["open session", "show touch", "wait 1000"])
    #expect(machine.words(.answer(.shown), after: 700) == ["capture 1000"])
    #expect(machine.words(.taken(1), after: 900).last == "capture 1000")
    #expect(machine.words(.dry, after: 900).last == "capture 1000")
  }

  @Test("coverage finishes it, or the number that is wanted, whichever the coverage")
  func enough() {
    var machine = touching()
    #expect(machine.words(.taken(9)).last == "capture 1000")
    #expect(machine.words(.taken(10, complete: true)).last == "finish")
    machine = touching(wanted: 2)
    #expect(machine.words(.taken(1, complete: true)).last == "capture 1000")
    #expect(machine.words(.taken(2)).last == "finish")
  }

  @Test("the end of the touches finishes it; a prompt that was never shown fails it")
  func timeouts() {
    var machine = touching()
    #expect(machine.words(.ended(Int(AC_ERR_TIMEOUT))) == ["finish"])
    machine = self.machine()
    _ = machine.words(.begin)
    #expect(machine.words(.timePassed, after: 1000) == ["fail timedOut"])
  }

  @Test("touches that are not usable finish it in the end, refused ones and retries together")
  func unusable() {
    var machine = touching(retries: 3)
    #expect(machine.words(.dry).last == "capture 1000")
    #expect(machine.words(.outcome(.refused(.tooDry))).last == "capture 1000")
    #expect(machine.words(.taken(1)).last == "capture 1000")
    #expect(machine.words(.dry).last == "capture 1000")
    #expect(machine.words(.ended(Int(AC_ERR_INTERRUPTED))).last == "capture 1000")
    #expect(
      machine.words(.outcome(.refused(.tooSmall))) == [
        "tell refused(Protocol.EnrollmentAdvice.tooSmall)", "finish",
      ])
  }

  @Test("an enrollment that never reaches coverage is over after so many touches")
  func mostTouches() {
    var machine = touching()
    for count in 1..<UInt32(EnrollmentMachine.mostTouches) {
      #expect(machine.words(.taken(count)).last == "capture 1000")
    }
    #expect(machine.words(.taken(60)).last == "finish")
  }

  @Test("cancel, fallback, a duplicate, a lost sensor and a match end it with their names")
  func ends() {
    let expected: [(MachineEvent, String)] = [
      (.answer(.cancelPressed), "userCancel"), (.answer(.fallbackChosen), "userFallback"),
      (.outcome(.duplicate(finger: "thumb")), "duplicateFinger"),
      (.ended(Int(AC_ERR_GONE)), "biometryDisconnected"), (.ended(Int(AC_ERR_IO)), "driverFailed"),
      (.lost(Failure(.driverFailed, "x")), "driverFailed"), (.match, "engineFailed"),
      (.miss, "engineFailed"), (.outcome(.failed(Failure(.storageFailed, "x"))), "storageFailed"),
    ]
    for (event, code) in expected {
      var machine = touching()
      #expect(machine.words(event) == ["fail \(code)"])
    }
  }

  @Test("a passcode that is typed during an enrollment is nothing to it")
  func passcode() {
    var machine = touching()
    #expect(machine.words(.passcode()) == ["capture 1000"])
  }
}

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
  static let match = MachineEvent.outcome(.matched(finger: "thumb", score: 20, threshold: 12))
  static let miss = MachineEvent.outcome(
    .missed(score: 3, threshold: 12, misses: 1, isLockedOut: false, addsUp: false))
  static let dry = MachineEvent.outcome(.retry(reason: 2))

  static func ended(_ status: Int, _ message: String = "") -> MachineEvent {
    .outcome(.ended(status: Int32(status), message: message))
  }

  static func passcode() -> MachineEvent {
    .answer(.passcodeGiven(SharedSecret(SecretBytes(count: 4))))
  }

  static func taken(_ touches: UInt32, complete: Bool = false) -> MachineEvent {
    .outcome(.taken(TakenTouch(touches: touches, coverage: 0.5, isComplete: complete, advice: nil)))
  }
}
