import ArgumentParser
import CoreClient
import PluginHosting
import Protocol

/// A sensor that the command looks at by itself: the driver runs in a host of this command's, and
/// its frames end here.
struct LookedAtSensor {
  private let session: SensorSession
  private let timeout: UInt32

  /// Starts the driver of `--driver`, else that of the reader that is connected, and opens its
  /// device.
  /// - Parameters:
  ///   - invocation: says which driver.
  ///   - log: whether what driver and transport say is shown.
  ///   - traffic: where the device's traffic is recorded; the descriptor stays the caller's.
  /// - Throws: what the driver says, or `usage` for traffic of a driver that uses no USB device.
  init(
    _ invocation: Invocation, _ log: LogOption, recording traffic: Int32? = nil
  ) throws(Failure) {
    let writeLog = log.writer(invocation.output)
    let installation = Installation.current(isService: false)
    if let chosen = try invocation.chosenDriver() {
      let source = try chosen.source(in: installation)
      guard traffic == nil || source != nil else {
        throw Failure(
          .usage, "The driver \(chosen.driver.description.name) uses no USB device to record",
          hint: "leave --traffic out")
      }
      session = try SensorSession(
        chosen.driver, options: chosen.options, source: source, traffic: traffic,
        in: installation, log: writeLog)
    } else {
      let reader = try Self.reader(invocation, installation)
      session = try SensorSession(
        reader.driver, options: [], source: .usb(reader.device), traffic: traffic,
        in: installation, log: writeLog)
    }
    timeout = invocation.timeoutMilliseconds
  }

  private static func reader(
    _ invocation: Invocation, _ installation: Installation
  ) throws(Failure) -> Reader {
    let drivers = invocation.catalog(installation).all().compactMap { try? $0.result.get() }
    let devices = try ConnectedDevices.list(in: installation)
    guard let reader = Reader.all(drivers: drivers, devices: devices).first else {
      throw Failure(
        .driverNotFound, "Which sensor is to be looked at? No reader is connected.",
        hint: "Plug one in, or name a driver: --driver NAME. authcore driver list shows them.")
    }
    return reader
  }

  /// Waits for what happens next: a touch with a picture, one without, or the end.
  /// - Throws: `driverFailed` when the driver's host has ended.
  func next() throws(Failure) -> TouchOutcome {
    try session.captureTouch(timeoutMilliseconds: timeout)
  }

  /// Waits for a touch that gives a picture; what the sensor says meanwhile is shown.
  /// - Throws: `timedOut`, `busy`, `biometryDisconnected`, `driverFailed`.
  func frame(_ screen: PromptScreen) throws(Failure) -> SensorFrame {
    let deadline = ContinuousClock.now + .milliseconds(Int(timeout))
    while true {
      let left = max(0, (deadline - .now) / .milliseconds(1))
      switch try session.captureTouch(timeoutMilliseconds: UInt32(left)) {
      case .frame(let frame): return frame
      case .retry(let retry): screen.tell(.retry(reason: retry.reason))
      case .end(let end): throw end.failure
      }
    }
  }
}

extension SensorEnd {
  /// `AC_ERR_BUSY`
  private static var busy: Int32 { 103 }

  /// Why there is no picture, as a failure of the command (`AC_ERR_…` of
  /// include/authcore/common.h).
  var failure: Failure {
    let said = message.isEmpty ? SensorStatus.text(status) : message
    return switch status {
    case SensorStatus.timeout: Failure(.timedOut, said)
    case SensorStatus.gone:
      Failure(.biometryDisconnected, said, hint: "Plug the reader in again.")
    case Self.busy:
      Failure(
        .busy, said,
        hint: "If a core holds the device: authcore quit; if the service does: "
          + "sudo systemctl stop authcored.socket authcored")
    default: Failure(.driverFailed, said)
    }
  }
}

/// The option of commands that run a driver themselves.
struct LogOption: ParsableArguments {
  @Flag(help: "Show on standard error what driver and transport write to the log.")
  var log = false

  /// Takes the lines of the log; for the thread that the output belongs to.
  func writer(_ output: Output) -> @Sendable (PluginLogLevel, String) -> Void {
    guard log else { return { _, _ in } }
    // A session gives its lines to the thread that waits for the driver, which is the command's
    // only one.
    nonisolated(unsafe) let output = output
    return { level, text in
      unsafe output.note(LogText.line(level: level.name, of: nil, text))
    }
  }
}
