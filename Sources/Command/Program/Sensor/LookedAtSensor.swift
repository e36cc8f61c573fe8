import ArgumentParser
import CoreClient
import PluginHosting
import Protocol

/// A sensor that the command uses by itself. The driver runs in a host of this command.
struct LookedAtSensor {
  private let session: SensorSession
  private let timeout: UInt32

  /// Starts the driver of `--driver`, or that of the connected reader, and opens its device.
  /// - Parameters:
  ///   - invocation: says which driver.
  ///   - log: whether to show the log of driver and transport.
  ///   - traffic: where to record USB traffic. The caller keeps the descriptor.
  /// - Throws: what the driver says, or `usage` if its traffic cannot be recorded.
  init(
    _ invocation: Invocation, _ log: LogOption, recording traffic: Int32? = nil
  ) throws(Failure) {
    let writeLog = log.writer(invocation.output)
    let installation = Installation.current(isService: false)
    if let chosen = try invocation.chosenDriver() {
      let source = try chosen.source(in: installation)
      guard traffic == nil || source != nil else {
        throw .usage(
          "The driver \(chosen.driver.description.name) uses no USB device to record",
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
        .driverNotFound, "No reader is connected",
        hint: "Plug one in, or name a driver: --driver NAME. authcore driver list shows them.")
    }
    return reader
  }

  /// Waits for the next touch or the end.
  /// - Throws: `driverFailed` if the driver's host has ended.
  func next() throws(Failure) -> TouchOutcome {
    try session.captureTouch(timeoutMilliseconds: timeout)
  }

  /// Waits for a touch that gives a picture, and shows what the sensor says meanwhile.
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

  /// The failure of a capture without a picture (`AC_ERR_…` of include/authcore/common.h).
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

struct LogOption: ParsableArguments {
  @Flag(help: "Show the log of driver and transport on standard error.")
  var log = false

  /// Writes the lines of the log. For the thread that owns the output.
  func writer(_ output: Output) -> @Sendable (PluginLogLevel, String) -> Void {
    guard log else { return { _, _ in } }
    // A session calls it on the thread that waits for the driver, which is the command's only one.
    nonisolated(unsafe) let output = output
    return { level, text in
      unsafe output.note(LogText.line(level: level.name, of: nil, text))
    }
  }
}
