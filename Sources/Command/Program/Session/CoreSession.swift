import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// The connection of this command to its core, with the driver of `--driver` and an agent for
/// prompts.
final class CoreSession {
  private let connection: CoreConnection
  private let agent: TerminalAgent
  private let interrupts: Interrupts
  private let location: CoreLocation
  /// How a locked device is unlocked; nil if it is not.
  private let unlocking: () -> PromptOptions?
  /// Replaces a missing state folder.
  private let scratch: ScratchState?

  /// Connects, and starts a core if none runs.
  /// - Throws: also as ``Invocation/settleStateFolder(of:)``.
  init(_ invocation: Invocation, driver: ChosenDriver?, showsLog: Bool = false) throws(Failure) {
    guard driver != nil || !showsLog else {
      throw .usage("--log shows the log of a driver that is named", hint: "add --driver NAME")
    }
    let access = try invocation.access(prints: driver.prints)
    location = access.location
    scratch = try invocation.settleStateFolder(of: location)
    connection = try (scratch?.access ?? access).connect()
    agent = try invocation.makeAgent()
    interrupts = invocation.interrupts
    unlocking = { invocation.unlockingOptions }
    if let driver { try use(driver, showsLog: showsLog) }
  }

  /// The core writes the driver's log to one descriptor more than the driver's files: standard error.
  private func use(_ driver: ChosenDriver, showsLog: Bool) throws(Failure) {
    // The service refuses the message before it looks at files.
    let files = try driver.openFiles()
    _ = try connection.request(
      driver.message, for: Done.self,
      descriptors: files.numbers + (showsLog ? [STDERR_FILENO] : []))
  }

  func status() throws(Failure) -> CoreStatus {
    var status: CoreStatus = try request(GetStatus())
    if scratch != nil { status.home = location.path }
    return status
  }

  /// Takes one touch and compares it.
  func test(_ options: PromptOptions) throws(Failure) -> FingerTested {
    agent.countsTries = false
    defer { agent.countsTries = true }
    return try request(TestFinger(options: options))
  }

  /// Answers later passcode prompts with this.
  func use(_ passcode: GivenPasscode) { agent.given.passcode = passcode }

  /// Asks for the passcode, and keeps it for later requests.
  func requirePasscode(_ options: PromptOptions) throws(Failure) {
    agent.given.keepsTypedPasscode = true
    defer { agent.given.keepsTypedPasscode = false }
    let context = try openContext()
    let _: Done = try ask(RequirePasscode(), options, in: context)
    try context.invalidate()
  }

  /// Answers prompts for application passwords with this.
  func use(appPassword: GivenPasscode?) {
    if let appPassword { agent.given.appPassword = appPassword }
  }

  /// Sends a request, and lets the agent answer its prompts.
  func request<Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    try carryOut { () throws(Failure) in try connection.request(message, agent: agent) }
  }

  /// Sends a message to an engine, and lets the agent answer its prompts. Without `options` only
  /// the prompt to unlock is allowed.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ options: PromptOptions? = nil,
    for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    let unlocking = unlocking()
    return try carryOut { () throws(Failure) in
      try connection.ask(
        message, options ?? unlocking ?? .none, unlocks: unlocking != nil, agent: agent)
    }
  }

  /// All items that match, in as many messages as it takes.
  func find(_ query: ItemQuery) throws(Failure) -> [ItemAttributes] {
    try FindItems(query: query).all { (page) throws(Failure) in try ask(page) }
  }

  /// Visits the items page by page.
  func find(
    _ request: FindItems, _ visit: ([ItemAttributes]) throws(Failure) -> Void
  ) throws(Failure) {
    try request.forEachPage({ (page) throws(Failure) in try ask(page) }, visit)
  }

  /// Opens a context in which one proof serves several requests.
  func openContext() throws(Failure) -> AuthenticationContext { try connection.openContext() }

  /// The same, in a context of this session.
  func ask<Request: EngineMessage & ~Copyable, Reply: WireMessage & ~Copyable>(
    _ message: borrowing Request, _ options: PromptOptions,
    in context: borrowing AuthenticationContext, for reply: Reply.Type = Reply.self
  ) throws(Failure) -> Reply {
    let unlocks = unlocking() != nil
    return try carryOut { () throws(Failure) in
      try context.ask(message, options, unlocks: unlocks, agent: agent)
    }
  }

  /// Sends a request while the agent hears of signals.
  private func carryOut<Reply: ~Copyable>(
    _ send: () throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    do throws(Failure) {
      return try agent.carryOut { () throws(Failure) in try interrupts.listening(send) }
    } catch  where error.code == .notInteractive && agent.isBesideOtherReader {
      throw .terminalIsShared
    }
  }
}

extension Invocation {
  /// The core this command talks to.
  func access(prints: CoreLocation.Prints) throws(Failure) -> CoreAccess {
    CoreAccess(
      to: try CoreLocation.choose(
        home: options.home, prints: prints, environment: environment,
        service: environment.service.presentSocket))
  }

  func openSession(showsLog: Bool = false) throws(Failure) -> CoreSession {
    try CoreSession(self, driver: try chosenDriver(), showsLog: showsLog)
  }
}

extension ChosenDriver {
  /// Whether its prints are those of a real finger.
  var prints: CoreLocation.Prints { isSynthetic ? .synthetic : .real }

  /// The message that tells the core to use it.
  var message: UseDriver {
    UseDriver(
      driver: driver.path,
      options: passedOptions.map {
        DriverOption(name: $0.name, value: $0.value, hasDescriptor: $0.file != nil)
      })
  }

  /// The device that was named, or one that is found.
  func source(in installation: Installation) throws(Failure) -> DeviceSource? {
    try driver.source(device) { () throws(Failure) in try ConnectedDevices.list(in: installation) }
  }
}

extension ChosenDriver? {
  /// Without a named driver, a sensor of the machine is used.
  var prints: CoreLocation.Prints { self?.prints ?? .real }
}

extension Invocation {
  /// The driver of `--driver` or `AUTHCORE_DRIVER`; nil if none is named.
  func chosenDriver() throws(Failure) -> ChosenDriver? {
    guard let text = options.driver ?? environment.driver else { return nil }
    return try ChosenDriver(
      parsing: text, relativeTo: environment.workingFolder, in: catalog(.current(isService: false)))
  }

  /// The drivers of this installation. Their descriptions are cached beside the core's state.
  func catalog(_ installation: Installation) -> DriverCatalog {
    DriverCatalog(
      installation, cacheFile: environment.descriptionsFile(home: options.home ?? environment.home))
  }
}
