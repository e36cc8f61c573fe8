import CoreClient
import Protocol

extension CoreStatus {
  /// As `status --json` prints it.
  var json: JSONValue {
    .object([
      "mode": .string(isService ? "service" : "on-demand"),
      "home": .string(home),
      "driver": driverJSON,
      "engines": .object([
        "enclave": .string(enclavePath), "keychain": .string(keychainPath),
        "policy": .string(policyPath),
      ]),
      "sensor": sensorJSON,
      "passcodeSet": .bool(isPasscodeSet),
      "passcodeDelaySeconds": .count(passcodeDelay),
      "wrongPasscodes": .count(wrongPasscodes),
      "eraseAfter": eraseAfter == 0 ? .null : .count(eraseAfter),
      "fingers": .count(fingers),
      "locked": .bool(isLocked),
      "firstUnlocked": .bool(isFirstUnlocked),
      "lockAfterSeconds": .count(lockAfterSeconds),
      "biometry": .object([
        "available": .bool(sensor != nil), "enrolled": .bool(matchableFingers > 0),
        "lockout": .bool(isLockedOut), "failures": .count(misses),
        "unlocks": .bool(isBiometricUnlockArmed),
      ]),
      "rootKey": .string(rootKey),
      "rollbackDetected": .bool(isRollbackDetected),
      "domainState": .string(domainState.map(Self.hexadecimal).joined()),
      "memoryLocked": .bool(isMemoryLocked),
      "sandbox": .object(
        sandboxes.map { JSONValue.Member(name: $0.process, value: Self.json($0)) }),
    ])
  }

  private var driverJSON: JSONValue {
    guard let driverName else { return .null }
    return .object([
      "name": .string(driverName), "path": .string(driverPath ?? ""),
      "device": device.map(JSONValue.string),
      "framesMayRepeat": .bool(device == Self.repeatingDevice),
    ])
  }

  private var sensorJSON: JSONValue {
    guard let sensor else { return .null }
    return .object([
      "connected": .bool(true), "kind": .string(sensor.kind), "width": .count(sensor.width),
      "height": .count(sensor.height), "ppi": .count(sensor.pixelsPerInch),
    ])
  }

  private static func json(_ sandbox: SandboxFacts) -> JSONValue {
    .object([
      "on": .bool(!sandbox.isOff),
      "lacks": .array(sandbox.lacks.map(JSONValue.string)),
    ])
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension SandboxFacts {
  var lacks: [String] {
    lacking.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }
}
