@testable import EnclaveEngine

/// The files of a device with a passcode and the owner's finger, made once and copied by every test
/// that needs one.
enum EnrolledDevice {
  private static let files: Result<[String: [UInt8]], any Error> = Result {
    let device = try SimulatedDevice.withPasscode()
    try device.enroll(.owner, name: "right-index")
    return device.platform.files
  }

  /// Such a device before its first unlock.
  static func beforeFirstUnlock() throws -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: try files.get(), seed: 1))
  }

  /// Such a device, unlocked by its passcode.
  static func unlocked() throws -> SimulatedDevice {
    let device = try beforeFirstUnlock()
    try device.unlock()
    return device
  }
}
