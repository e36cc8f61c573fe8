import CoreClient
import Protocol

enum StatusText {
  /// The lines of `status`. `paths` adds those of driver and engines.
  static func lines(_ status: CoreStatus, paths: Bool, _ paint: Paint) -> [String] {
    var facts = Facts()
    facts.add("core", status.isService ? "service" : "on demand, \(status.home.printable)")
    facts.add("driver", driver(status, path: paths, paint))
    facts.add("sensor", sensor(status, paint))
    facts.add("passcode", passcode(status, paint))
    facts.add("fingers", fingers(status, paint))
    facts.add("device", lockState(status, paint))
    if status.isRollbackDetected {
      facts.add(
        "state",
        paint("an old copy of keybag or attempts was put back; newer items stay locked", .bad))
    }
    if status.isKeychainMissing {
      facts.add("keychain", paint("its file is missing or empty; see authcore doctor", .bad))
    }
    facts.add("root key", status.rootKey == "tpm" ? "in the TPM" : "in a file")
    for door in status.doors {
      facts.add("door", door.door.name + (door.caller.map { ", for \($0.printable)" } ?? ""))
    }
    facts.add("sandbox", sandbox(status, paint))
    if paths {
      facts.add("enclave", status.enclavePath.printable)
      facts.add("keychain", status.keychainPath.printable)
      facts.add("policy", status.policyPath.printable)
    }
    return facts.lines(paint)
  }

  private static func passcode(_ status: CoreStatus, _ paint: Paint) -> String {
    guard status.isPasscodeSet else { return paint("not set", .doubtful) }
    let wrong = status.wrongPasscodes > 0 ? "\(status.wrongPasscodes) wrong ones in a row" : nil
    let delay =
      status.passcodeDelay > 0 ? "no passcode is tried for \(status.passcodeDelay) s" : nil
    let erasure = status.eraseAfter > 0 ? "\(status.eraseAfter) wrong ones erase the device" : nil
    let remarks = [wrong, delay].compactMap(\.self).map { paint($0, .bad) }
    return (["set"] + remarks + [erasure].compactMap(\.self)).joined(separator: ", ")
  }

  private static func driver(_ status: CoreStatus, path: Bool, _ paint: Paint) -> String {
    guard let name = status.driverName else { return paint("none", .doubtful) }
    return [name, path ? status.driverPath : nil, status.device].compactMap { $0?.printable }
      .joined(separator: "  ")
  }

  private static func sensor(_ status: CoreStatus, _ paint: Paint) -> String {
    guard let sensor = status.sensor else { return paint("not connected", .doubtful) }
    let size = PictureSize(
      width: sensor.width, height: sensor.height, pixelsPerInch: sensor.pixelsPerInch)
    guard sensor.compares == .image else {
      return "matches on the chip" + (sensor.isBuiltIn ? ", built in" : ", can be unplugged")
    }
    return "\(sensor.kind.printable), \(size.text)"
  }

  private static func fingers(_ status: CoreStatus, _ paint: Paint) -> String {
    if status.isLockedOut {
      return "\(status.fingers), " + paint("locked out: give the passcode", .bad)
    }
    guard status.fingers > 0 else { return paint("none enrolled", .doubtful) }
    let misses = status.misses > 0 ? ", \(status.misses) missed touches" : ""
    let others = status.fingers - min(status.fingers, status.matchableFingers)
    let unmatched = status.sensor != nil && others > 0 ? ", \(others) not for this sensor" : ""
    return "\(status.fingers)" + unmatched + misses
  }

  private static func lockState(_ status: CoreStatus, _ paint: Paint) -> String {
    guard status.isPasscodeSet else { return "cannot be locked without a passcode" }
    guard status.isLocked else {
      let time = period(status.lockAfterSeconds)
      let screen = status.lockRule == .screen ? "with the screen, or " : ""
      return paint("unlocked", .good) + ", locks \(screen)\(time) after the last match or passcode"
    }
    if !status.isFirstUnlocked { return "locked, before first unlock: only the passcode unlocks" }
    return status.isBiometricUnlockArmed
      ? "locked, a finger unlocks" : "locked, only the passcode unlocks"
  }

  private static func period(_ seconds: UInt32) -> String {
    seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
  }

  private static func sandbox(_ status: CoreStatus, _ paint: Paint) -> String {
    var remarks = status.sandboxes.flatMap { sandbox in
      sandbox.isOff
        ? ["\(sandbox.process): off"] : sandbox.lacks.map { "\(sandbox.process): \($0)" }
    }
    if !status.isMemoryLocked { remarks.append("memory is not locked") }
    guard !remarks.isEmpty else { return "complete" }
    return paint(remarks.joined(separator: "; ").printable, .doubtful)
  }
}

extension CoreStatus {
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
      "lockAfter": lockRule.json,
      "biometry": .object([
        "available": .bool(sensor != nil), "enrolled": .bool(matchableFingers > 0),
        "lockout": .bool(isLockedOut), "failures": .count(misses),
        "unlocks": .bool(isBiometricUnlockArmed),
      ]),
      "rootKey": .string(rootKey),
      "rollbackDetected": .bool(isRollbackDetected),
      "keychainMissing": .bool(isKeychainMissing),
      "domainState": .string(domainState.map(Self.hexadecimal).joined()),
      "doors": .array(
        doors.map { door in
          .object([
            "name": .string(door.door.name), "for": door.caller.map(JSONValue.string) ?? .null,
          ])
        }),
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
    .object(["on": .bool(!sandbox.isOff), "lacks": .array(sandbox.lacks.map(JSONValue.string))])
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
