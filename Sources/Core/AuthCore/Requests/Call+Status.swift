import PluginHosting
import Protocol
import Sandbox

extension Call {
  /// What `authcore status` shows; opens no device.
  func status() throws(Failure) -> CoreStatus {
    let status = try enclaveStatus()
    let sensor = sensors.present
    let driver = (sensor?.choice ?? sensors.named)?.driver
    return CoreStatus(
      isService: core.isService, driverName: driver?.description.name,
      driverPath: driver?.path, device: sensor.flatMap(device),
      sensor: sensor.map(facts),
      absence: sensor == nil
        ? sensors.absence(hasRealFingers: status.fingers > status.syntheticFingers) : nil,
      enclavePath: enclave.host.path,
      keychainPath: core.keychain.path, policyPath: core.policy.path,
      isPasscodeSet: status.isPasscodeSet, passcodeDelay: status.passcodeDelay,
      eraseAfter: status.eraseAfter, wrongPasscodes: status.wrongPasscodes,
      fingers: status.fingers,
      matchableFingers: matchableFingers(status, sensor), isLocked: status.isLocked,
      isFirstUnlocked: status.isFirstUnlocked, isLockedOut: status.isLockedOut,
      misses: status.misses, isBiometricUnlockArmed: status.isBiometricUnlockArmed,
      rootKey: status.rootKey, domainState: status.domainState,
      isMemoryLocked: status.isMemoryLocked && SecretArena.isLocked,
      isRollbackDetected: status.isRollbackDetected, sandboxes: sandboxes, home: core.home,
      lockAfterSeconds: core.lockAfter, lockRule: status.lockRule)
  }

  /// What there is of a device: a tape says of itself that its frames may repeat.
  private func device(_ sensor: SelectedSensor) -> String? {
    core.frameSource(of: sensor.choice).mayRepeat
      ? CoreStatus.repeatingDevice : sensor.source?.text
  }

  /// What the open device is, where its driver told; else what the driver says of all its devices.
  private func facts(_ sensor: SelectedSensor) -> SensorFacts {
    let description = sensor.choice.driver.description
    let identity =
      sensors.identity(of: sensor)
      ?? SensorIdentity(
        scanType: description.scanType, width: description.width, height: description.height,
        pixelsPerInch: description.pixelsPerInch)
    return SensorFacts(
      kind: identity.scanType == .swipe ? "swipe" : "press", width: identity.width,
      height: identity.height, pixelsPerInch: identity.pixelsPerInch)
  }

  private var sandboxes: [SandboxFacts] {
    var facts = [Self.facts("enclave", enclave.host.ready.report)]
    if let ready = sensors.ready { facts.append(Self.facts("driver", ready.report)) }
    var lacks = core.hardeningLacks
    if SecretArena.hasSpilled { lacks.append("a secret lay in memory that could not be locked") }
    if !lacks.isEmpty {
      facts.append(
        SandboxFacts(process: "core", lacking: lacks.joined(separator: ", "), isOff: false))
    }
    return facts
  }

  private static func facts(_ process: String, _ report: SandboxReport) -> SandboxFacts {
    SandboxFacts(
      process: process, lacking: String(report.lacks.joined(separator: ", ").prefix(4000)),
      isOff: !report.isOn)
  }
}
