import CoreClient
import Foundation
import TestSupport

/// A device of its own for code that is written as applications for Apple's systems are: that code
/// knows nothing of devices.
struct IdiomDevice {
  private let home: TestHome

  /// With a passcode and a finger, where they are wanted.
  init(isSetUp: Bool = false) throws {
    home = try TestHome()
    if isSetUp { try home.setUp() }
  }

  private func client() throws -> ApplicationClient {
    ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: home.home, driver: try home.ownerTouch(), stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Idioms", program: Products.program("authcored")))
  }

  /// Runs such code on this device.
  func run(_ body: () throws -> Void) throws {
    try ApplicationClient.$replacement.withValue(try client(), operation: body)
  }

  /// The same for code that waits.
  nonisolated(nonsending) func run(_ body: nonisolated(nonsending) () async throws -> Void)
    async throws
  {
    try await ApplicationClient.$replacement.withValue(try client(), operation: body)
  }
}
