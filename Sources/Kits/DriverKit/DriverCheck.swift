// DriverKit: a template, the conformance checks and udev rules, for authors of drivers.

/// One check of the conformance kit. Each runs in a process of its own, so that a driver that
/// crashes or hangs in one does not hide the others.
package enum DriverCheck: String, CaseIterable, Sendable {
  case symbols
  case loading
  case sandbox
  case layout
  case versions
  case arguments
  case opening
  case frames
  case lifting
  case fresh
  case deadlines
  case interruption
  case threads
  case repetition
  case unplugging
  case stalls
  case shortAnswers = "short-answers"
  case garbage
  case hesitation
  case silence
  case recording
  case process
  case output

  /// What a check needs.
  package enum Need: Sendable {
    /// The driver's file alone.
    case nothing
    /// A device model, or nothing if the driver handles no USB device.
    case device
    /// A device model, because it can be made to misbehave.
    case model
    case recording
    /// Nothing: it reports what was seen in the other checks.
    case otherChecks
  }

  package var need: Need {
    switch self {
    case .symbols, .loading, .sandbox, .layout, .versions, .arguments: .nothing
    case .opening, .frames, .deadlines, .interruption, .threads, .repetition: .device
    case .lifting, .fresh, .unplugging, .stalls, .shortAnswers, .garbage, .hesitation, .silence:
      .model
    case .recording: .recording
    case .process, .output: .otherChecks
    }
  }

  /// What is checked, in a few words.
  package var title: String {
    switch self {
    case .symbols: "exports ac_sensor_entry alone, and imports nothing of the host"
    case .loading: "opens no file, starts no thread and writes no code while it is loaded"
    case .sandbox: "loads and describes itself in the closed sandbox"
    case .layout: "tables, versions and description are in order"
    case .versions: "refuses a host of another major version, accepts a later minor one"
    case .arguments: "survives NULL, unknown options and values of the wrong kind"
    case .opening: "opens and closes its device, and says why where there is none"
    case .frames: "delivers frames that keep every promise of ac_frame_t"
    case .lifting: "waits for the finger to be lifted before it takes another touch"
    case .fresh: "answers each touch once"
    case .deadlines: "returns at its deadline, neither early nor late"
    case .interruption: "returns within 100 ms of an interrupt: before, during and after a capture"
    case .threads: "uses the device on one thread and leaves no thread behind"
    case .repetition: "opens and closes 1,000 times without a leak"
    case .unplugging: "survives unplugging at every transfer"
    case .stalls: "survives a halted endpoint at every transfer"
    case .shortAnswers: "survives half an answer at every transfer"
    case .garbage: "survives garbage at every transfer"
    case .hesitation: "survives a storm of NAKs at every transfer"
    case .silence: "survives a device that falls silent at every transfer"
    case .recording: "captures from the recorded traffic"
    case .process: "leaves signals, the working folder and the process alone"
    case .output: "writes nothing to standard output and error"
    }
  }

  /// The rule of the ABI that is checked, and the header it is in.
  package var rule: String {
    switch self {
    case .symbols:
      "common.h: a plugin imports no symbol of the host and exports exactly one"
    case .loading:
      "common.h: constructors set up memory and nothing else"
    case .sandbox:
      "sensor.h: ac_sensor_entry opens nothing and blocks on nothing"
    case .layout:
      "common.h: every struct begins with struct_size; sensor.h: no function is NULL but extension"
    case .versions:
      "sensor.h: AC_ERR_ABI for another major version; common.h: any 1.x works with any 1.y"
    case .arguments:
      "common.h: AC_ERR_ARGUMENT for what the callee refuses; out-parameters are written on AC_OK only"
    case .opening:
      "sensor.h: open readies the device or fails with a message; close frees everything, NULL too"
    case .frames:
      "sensor.h: ac_frame_t; pixels stay valid until the next call, struct_size is the caller's"
    case .lifting:
      "sensor.h: a finger that still lies on the sensor from the call before has to be lifted first"
    case .fresh:
      "sensor.h: capture waits for a touch; match_on_chip.h: no touch of then answers a question of now"
    case .deadlines:
      "sensor.h: AC_ERR_TIMEOUT after timeout_ms; after a timeout the next call works"
    case .interruption:
      "sensor.h: interrupt makes a capture return within 100 ms, or the next one; it never blocks"
    case .threads:
      "usb.h: all functions but interrupt are [owner]; sensor.h: close ends all transfers"
    case .repetition:
      "sensor.h: close ends all transfers, lets go of the device and frees the sensor"
    case .unplugging:
      "usb.h: no device any more is AC_ERR_GONE; sensor.h: failures have a message"
    case .stalls, .shortAnswers, .garbage, .hesitation, .silence:
      "sensor.h: capture ends with a frame, a retry, a timeout or a failure with a message set"
    case .recording:
      "docs/recordings.md: a recording answers exactly what was recorded"
    case .process:
      "common.h: a plugin never exits and never changes signal handlers"
    case .output:
      "common.h: a plugin never writes to standard output or error"
    }
  }
}

package struct CheckFinding: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    /// The driver keeps the rule. The note says what was measured, if anything.
    case passed(note: String?)
    /// The driver breaks the rule: what happened, and what to do.
    case failed(reason: String, advice: String?)
    /// It could not be checked.
    case notRun(reason: String)
  }

  package let check: DriverCheck
  package let outcome: Outcome

  /// Stands for a failure that was reported before.
  static func notRun(_ check: DriverCheck, failsAs first: CheckFinding) -> CheckFinding {
    CheckFinding(
      check: check, outcome: .notRun(reason: "since \(first.check.rawValue) fails in the same way"))
  }

  /// Whether the driver breaks the rule.
  package var isFailure: Bool {
    if case .failed = outcome { true } else { false }
  }
}
