import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// The sensor driver that `AUTHCORE_DRIVER` names for an application's requests.
package final class ApplicationDriver: Sendable {
  private let argument: String
  private let settings: ApplicationSettings
  private let known = Mutex<ResolvedDriver?>(nil)

  package init(_ argument: String, _ settings: ApplicationSettings) {
    (self.argument, self.settings) = (argument, settings)
  }

  /// What it comes to, and whose prints it delivers; found out once.
  package func resolved() throws(Failure) -> (driver: ResolvedDriver, prints: CoreLocation.Prints) {
    let driver: ResolvedDriver
    if let known = known.withLock({ $0 }) {
      driver = known
    } else {
      driver = try CoreAccess.resolve(
        driver: argument, in: settings.environment, program: try settings.coreProgram())
      known.withLock { $0 = driver }
    }
    return (driver, driver.isSynthetic ? .synthetic : .real)
  }

  /// Has later requests of a connection use it, from its beginning.
  package func use(on connection: CoreConnection) throws(Failure) {
    let driver = try resolved().driver
    let files = try Self.open(driver.files)
    _ = try connection.request(
      UseDriver(driver: driver.driver, options: driver.options), for: Done.self,
      descriptors: files.numbers)
  }

  /// The files of its options, opened here: the core need not be able to.
  private static func open(_ paths: [String]) throws(Failure) -> DescriptorList {
    var numbers: [Int32] = []
    for path in paths {
      let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
      guard number >= 0 else {
        let reason = SystemCallError("open").reason
        _ = DescriptorList(owning: numbers)
        throw Failure(
          .usage, "Cannot open \(path): \(reason)", hint: "check the path in AUTHCORE_DRIVER")
      }
      numbers.append(number)
    }
    return DescriptorList(owning: numbers)
  }
}
