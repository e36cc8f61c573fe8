import AuthcoreABI
import LinuxSystem
import PluginHosting
import Protocol

@testable import AuthCore

/// A driver that plays a list of touches, one for each capture.
final class FakeDriver: Sendable {
  /// What a capture does.
  enum Touch: Sendable {
    case outcome(TouchEvent.Outcome)
    /// Waits for a finger until it is stopped.
    case wait
    /// Takes no notice of anything any more.
    case hang
    /// The process dies.
    case die
    /// The process dies, and its frame socket is noticed first.
    case goneByDeath

    static let match = Touch.outcome(.matched(finger: "thumb", score: 20, threshold: 12))
    static let miss = miss(addsUp: false)
    static let dry = Touch.outcome(.retry(reason: 2))
    static let timeout = Touch.outcome(.ended(status: Int32(AC_ERR_TIMEOUT), message: ""))
    static let gone = Touch.outcome(
      .ended(status: Int32(AC_ERR_GONE), message: "the reader was unplugged"))

    /// A touch that does not match alone; `addsUp` if it may together with others.
    static func miss(addsUp: Bool) -> Touch {
      .outcome(
        .missed(score: 3, threshold: 12, misses: 1, isLockedOut: false, addsUp: addsUp))
    }

    static func taken(_ touches: UInt32, complete: Bool = false) -> Touch {
      .outcome(
        .taken(
          TakenTouch(
            touches: touches, coverage: Double(touches) / 8, isComplete: complete,
            advice: .moveLeft, picture: FakeDriver.picture)))
    }
  }

  /// Where every enrollment here has seen the finger.
  static let picture = CoveragePicture(columns: 2, times: [1, 2], clarity: [9, 8])

  struct State {
    var touches: [Touch] = []
    var captures = 0
    /// Whether each capture began with a finger lifted.
    var lifts: [Bool] = []
    var stops = 0
    var starts = 0
    var waiting: UInt64?
    var openFailure: Failure?
    var identity: SensorIdentity?
    var hosts: [FakeHost] = []
    /// Nothing is started until this is false again.
    var isHeldUp = false
    var attempts = 0
  }

  let state = Guarded(State())
  private let enclave: FakeEnclave

  init(_ touches: [Touch], enclave: FakeEnclave) {
    self.enclave = enclave
    state.update { $0.touches = touches }
  }

  var captures: Int { state.read { $0.captures } }
  var stops: Int { state.read { $0.stops } }
  var starts: Int { state.read { $0.starts } }
  var hosts: [FakeHost] { state.read { $0.hosts } }

  /// Waits until so many captures have begun.
  func waitForCapture(_ count: Int = 1) { state.wait { $0.captures >= count ? () : nil } }

  /// Waits until somebody wants it started.
  func waitForAttempt(_ count: Int = 1) { state.wait { $0.attempts >= count ? () : nil } }

  func start() -> FakeHost {
    state.update { $0.attempts += 1 }
    state.wait { $0.isHeldUp ? nil : () }
    let host = FakeHost("driver", code: .driverFailed) { [self] host, message in
      switch message.bytes[0] {
      case OpenSensorRequest.number:
        let failure = state.read { $0.openFailure }
        host.say(failure.map { .refused($0) } ?? .opened(state.read { $0.identity }))
      case CaptureTouch.number:
        guard let capture = try? CaptureTouch.decode(message.bytes) else { return }
        state.update { $0.lifts.append(capture.ignoresPresentFinger) }
        play(capture.session, host)
      case StopCapture.number: stop()
      default: break
      }
    }
    state.update {
      $0.starts += 1
      $0.hosts.append(host)
    }
    return host
  }

  private func play(_ session: UInt64, _ host: FakeHost) {
    let touch = state.update { state -> Touch in
      let touch = state.touches.isEmpty ? .timeout : state.touches.removeFirst()
      if case .wait = touch { state.waiting = session }
      state.captures += 1
      return touch
    }
    switch touch {
    case .outcome(let outcome): enclave.touch(session, outcome)
    case .wait, .hang: break
    case .die: host.die()
    case .goneByDeath:
      enclave.touch(session, .ended(status: Int32(AC_ERR_GONE), message: "the driver's host ended"))
      host.die()
    }
  }

  private func stop() {
    let session = state.update { state in
      state.stops += 1
      return state.waiting.take()
    }
    guard let session else { return }
    enclave.touch(session, .ended(status: Int32(AC_ERR_INTERRUPTED), message: ""))
  }
}
