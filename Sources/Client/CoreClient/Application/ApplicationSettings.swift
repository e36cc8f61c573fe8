import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol
import Synchronization

/// What an application's environment says, where its core lies, and how the application is called
/// in prompts.
package struct ApplicationSettings: Sendable {
  /// `AUTHCORE_HOME`, `AUTHCORE_DRIVER` and the folders of this person.
  package let environment: ClientEnvironment
  /// How prompts call the application; what it says of itself.
  package let applicationName: String
  /// Whether the owner is asked on the terminal that controls the process.
  let asksOnTerminal: Bool
  /// Whether any release of the core will do that speaks this version of the protocol.
  let takesAnyRelease: Bool
  /// `authcored`, if it is named and not to be looked for.
  private let program: String?

  /// - Parameters:
  ///   - environment: which core, which driver.
  ///   - applicationName: how prompts call the application.
  ///   - asksOnTerminal: whether the owner is asked on the terminal that controls the process; else
  ///     as if it had none.
  ///   - takesAnyRelease: whether any release of the core will do. Else it has to be this one, and a
  ///     locked one of another release gives way.
  ///   - program: the absolute path of `authcored`; nil: ``CoreProgram`` finds it.
  package init(
    environment: ClientEnvironment, applicationName: String, asksOnTerminal: Bool = false,
    takesAnyRelease: Bool = true, program: String? = nil
  ) {
    self.environment = environment
    self.applicationName = applicationName
    self.asksOnTerminal = asksOnTerminal
    self.takesAnyRelease = takesAnyRelease
    self.program = program
  }

  /// Those of this process.
  package static func current() -> ApplicationSettings {
    ApplicationSettings(
      environment: .current(), applicationName: nameOfThisProcess, asksOnTerminal: true)
  }

  /// How an application is called that does not say so itself: the name of the running file.
  private static var nameOfThisProcess: String {
    guard let path = RunningExecutable.ofThisProcess()?.path,
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
    else { return "an application" }
    return String(decoding: path[(slash + 1)...], as: UTF8.self)
  }

  /// Which core is meant.
  package func location(prints: CoreLocation.Prints) throws(Failure) -> CoreLocation {
    try CoreLocation.choose(
      home: nil, prints: prints, environment: environment,
      service: environment.service.presentSocket)
  }

  /// The program that serves if no core runs yet.
  /// - Throws: `coreFailed` if there is none, saying how to get one.
  package func coreProgram() throws(Failure) -> String {
    if let program { return program }
    return try CoreProgram.find()
  }
}

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
