import LinuxSystem
package import Protocol

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
  /// `authcored`, where it is named and not to be looked for.
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

  /// The program that serves where no core runs yet.
  /// - Throws: `coreFailed` where there is none, saying how to get one.
  package func coreProgram() throws(Failure) -> String {
    if let program { return program }
    return try CoreProgram.find()
  }
}
