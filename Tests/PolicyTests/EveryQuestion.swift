import Protocol
import Testing

/// Every state of the device: six conditions, with and without a finger.
let everyDevice: [DeviceState] = (0..<128).map { bits in
  var device = DeviceState()
  device.hasSensor = bits & 1 != 0
  device.isPasscodeSet = bits & 2 != 0
  device.isLockedOut = bits & 4 != 0
  device.isFirstUnlocked = bits & 8 != 0
  device.isLocked = bits & 16 != 0
  device.isBiometricUnlockArmed = bits & 32 != 0
  device.fingers = bits & 64 != 0 ? 2 : 0
  return device
}

/// Every client.
let everyClient: [ClientSituation] = (0..<32).map { bits in
  var client = ClientSituation()
  client.mayPrompt = bits & 1 == 0
  client.canGivePasscode = bits & 2 == 0
  client.hasReason = bits & 4 == 0
  client.hidesFallback = bits & 8 != 0
  client.mayTouch = bits & 16 == 0
  return client
}

/// Misses, wrong passcodes and wrong application passwords: none, some, too many.
private let everyCount: [(misses: UInt32, refused: UInt32, refusedOwn: UInt32)] = [
  (0, 0, 0), (2, 0, 0), (3, 0, 0), (0, 2, 0), (0, .max, 0), (0, 0, 2), (0, 0, 3),
]

/// Every event with every count.
let everyProgress: [CallProgress] = CallProgress.Event.allCases.flatMap { event in
  everyCount.map { misses, refused, refusedOwn in
    var progress = CallProgress()
    progress.lastEvent = event
    progress.misses = misses
    progress.refusedPasscodes = refused
    progress.refusedAppPasswords = refusedOwn
    return progress
  }
}

/// A device on which everything works, and those that lack one thing.
let tellingDevices: [DeviceState] = {
  var whole = DeviceState()
  whole.hasSensor = true
  whole.isPasscodeSet = true
  whole.fingers = 1
  whole.isFirstUnlocked = true
  whole.isLocked = true
  whole.isBiometricUnlockArmed = true
  let losses: [(inout DeviceState) -> Void] = [
    { $0.hasSensor = false }, { $0.isPasscodeSet = false }, { $0.fingers = 0 },
    { $0.isFirstUnlocked = false }, { $0.isLockedOut = true }, { $0.isLocked = false },
    { $0.isBiometricUnlockArmed = false },
  ]
  return [whole]
    + losses.map { lose in
      var device = whole
      lose(&device)
      return device
    }
}()

/// Every device with a client that allows everything, and every client on the telling devices.
let everySituation: [(device: DeviceState, client: ClientSituation)] =
  everyDevice.map { ($0, ClientSituation()) }
  + tellingDevices.flatMap { device in everyClient.map { (device, $0) } }

/// A request and the table that says what is right.
struct TabledRequest: Sendable, CustomTestStringConvertible {
  let name: String
  let request: PolicyRequest
  let table: DecisionTable
  var testDescription: String { name }
}

let plainRequests = [
  TabledRequest(name: "biometrics", request: .biometrics, table: biometricsTable),
  TabledRequest(name: "owner", request: .owner, table: ownerTable),
  TabledRequest(
    name: "unlock", request: .unlock(prefersPasscode: false), table: unlockTable),
  TabledRequest(
    name: "unlock with a passcode at hand", request: .unlock(prefersPasscode: true),
    table: passcodeOnlyTable),
  TabledRequest(name: "passcode only", request: .passcodeOnly, table: passcodeOnlyTable),
]

/// Each control alone and with an application password, which is asked for when all else is proved.
let accessRequests: [TabledRequest] =
  accessTables.flatMap { control, byHeld in
    byHeld.enumerated().flatMap { bits, table -> [TabledRequest] in
      guard let alone = try? AccessControl(parsing: control),
        let both = try? AccessControl(
          alone.constraints, joinedBy: alone.junction, with: .appPassword)
      else { return [] }
      let held = EvidenceSet(rawValue: UInt8(bits))
      let isProved = alone.isSatisfied(by: held)
      return [
        (alone, held, table), (alone, held.union(.appPassword), table),
        (both, held, isProved ? appPasswordMissing : table),
        (both, held.union(.appPassword), table),
      ].map { control, held, table in
        TabledRequest(
          name: "\(control.text), held \(held.rawValue)", request: .access(control, held: held),
          table: table)
      }
    }
  } + appPasswordAlone
