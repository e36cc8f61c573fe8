import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// An application's environment, the core it uses, and its name in prompts.
package struct ApplicationSettings: Sendable {
  /// `AUTHCORE_HOME`, `AUTHCORE_DRIVER` and the folders of this person.
  package let environment: ClientEnvironment
  /// The application's own name for itself, for prompts.
  package let applicationName: String
  /// Whether the owner is asked on the terminal that controls the process.
  let asksOnTerminal: Bool
  /// Whether this is a daemon, which those that it acts for did not start.
  let isDaemon: Bool
  /// Whether any release of the core that speaks this version of the protocol is accepted.
  let takesAnyRelease: Bool
  /// The path of `authcored`, if it is given and need not be found.
  private let program: String?

  /// - Parameters:
  ///   - environment: names the core and the driver.
  ///   - applicationName: the application's name in prompts.
  ///   - asksOnTerminal: whether the owner is asked on the controlling terminal; else as if there
  ///     were none.
  ///   - isDaemon: whether other programs than its caller started this one.
  ///   - takesAnyRelease: whether any release of the core is accepted. Else it must be this one,
  ///     and a locked core of another release is replaced.
  ///   - program: the absolute path of `authcored`; nil: ``CoreProgram`` finds it.
  package init(
    environment: ClientEnvironment, applicationName: String, asksOnTerminal: Bool = false,
    isDaemon: Bool = false, takesAnyRelease: Bool = true, program: String? = nil
  ) {
    self.environment = environment
    self.applicationName = applicationName
    self.asksOnTerminal = asksOnTerminal
    self.isDaemon = isDaemon
    self.takesAnyRelease = takesAnyRelease
    self.program = program
  }

  package static func current() -> ApplicationSettings {
    ApplicationSettings(
      environment: .current(), applicationName: nameOfThisProcess, asksOnTerminal: true)
  }

  /// The name of an application that does not state one: that of the running file.
  private static var nameOfThisProcess: String {
    guard let path = RunningExecutable.ofThisProcess()?.path,
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
    else { return "an application" }
    return String(decoding: path[(slash + 1)...], as: UTF8.self)
  }

  package func location(prints: CoreLocation.Prints) throws(Failure) -> CoreLocation {
    try CoreLocation.choose(
      home: nil, prints: prints, environment: environment,
      service: environment.service.presentSocket)
  }

  /// The program to start if no core runs.
  /// - Throws: `coreFailed` if it is not found, with a hint how to get it.
  package func coreProgram() throws(Failure) -> String {
    if let program { return program }
    return try CoreProgram.find()
  }
}

/// The sensor driver that `AUTHCORE_DRIVER` names for an application's requests.
final class ApplicationDriver: Sendable {
  private let argument: String
  private let settings: ApplicationSettings
  private let known = Mutex<ResolvedDriver?>(nil)

  init(_ argument: String, _ settings: ApplicationSettings) {
    (self.argument, self.settings) = (argument, settings)
  }

  /// The resolved driver, and whose prints it delivers; resolved once.
  func resolved() throws(Failure) -> (driver: ResolvedDriver, prints: CoreLocation.Prints) {
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

  /// Has later requests of a connection use the driver from its beginning.
  func use(on connection: CoreConnection) throws(Failure) {
    let driver = try resolved().driver
    let files = try Self.open(driver.files)
    _ = try connection.request(
      UseDriver(driver: driver.driver, options: driver.options), for: Done.self,
      descriptors: files.numbers)
  }

  /// Opens the files of the driver's options: the core may not be able to.
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
