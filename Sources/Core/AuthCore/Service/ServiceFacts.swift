import DBus
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

/// What every core of the service is made with.
final class ServiceFacts: Sendable {
  /// The service's state folder, absolute.
  let home: String
  /// What serves the clients of all users.
  let connections: ConnectionServer
  let installation: Installation
  let hardeningLacks: [String]
  let limits = CoreLimits()
  /// Seconds without proof of the owner after which devices are locked, in place of what their owners
  /// have set; nil: as those say.
  let lockAfter: UInt32?
  /// The drivers of this machine, and what they said of themselves.
  let drivers: DriverCatalog
  /// Where everything is written down.
  let journal: Journal
  /// Names the applications of clients.
  let naming: any ApplicationNaming
  /// Says who may ask a person.
  let foreground = Foreground()
  private let endProcess: @Sendable () -> Void
  private let devices = Mutex<SharedDevices?>(nil)
  private let policyFile = PolicyFile()
  private let readPolicy = Mutex(MachinePolicy.none)
  /// Why the policy that was read last does not hold.
  private let policyTrouble = Mutex<ServiceTrouble?>(nil)
  /// Asked by whoever looks for troubles, and about screens.
  let logins = LoginManager()
  /// Says that a screen may have been locked.
  let screens = LoginChanges(intervalMicroseconds: ScreenWatch.intervalMicroseconds)

  init(
    home: String, _ connections: ConnectionServer, _ installation: Installation,
    hardeningLacks: [String], lockAfter: UInt32?, journal: Journal, naming: any ApplicationNaming,
    endProcess: @escaping @Sendable () -> Void
  ) {
    self.home = home
    self.connections = connections
    self.installation = installation
    self.hardeningLacks = hardeningLacks
    self.lockAfter = lockAfter
    self.journal = journal
    self.naming = naming
    self.endProcess = endProcess
    drivers = DriverCatalog(installation, cacheFile: home + "/" + StateFolder.descriptions)
  }

  // MARK: Policy

  /// What whoever runs the machine asks for.
  var policy: MachinePolicy { readPolicy.withLock { $0 } }

  /// Reads the policy when the service begins. One with errors is said, and the strictest there is
  /// holds instead: what was meant is not known, and must not be less.
  func beginWithPolicy() {
    readPolicy(orElse: .strictest, "the strictest one holds until it is mended")
  }

  /// Reads the policy anew. One with errors is said, and the last good one stays.
  func reloadPolicy() { readPolicy(orElse: nil, "the last good one stays") }

  private func hold(_ policy: MachinePolicy) {
    readPolicy.withLock { $0 = policy }
    foreground.use(policy.screenLocks)
  }

  private func readPolicy(orElse fallback: MachinePolicy?, _ consequence: String) {
    do throws(Failure) {
      let policy = try policyFile.read()
      hold(policy)
      policyTrouble.withLock { $0 = nil }
      AuditRecord(event: .policy, user: geteuid()).write(in: journal)
      // A driver that nobody has asked yet is asked in a process of its own: nobody waits for that.
      SystemThread.start(name: "policy") { [self] in warnOfWhatIsNot(in: policy) }
    } catch {
      if let fallback { hold(fallback) }
      policyTrouble.withLock { $0 = ServiceTrouble(refusedPolicy: error, consequence) }
      journal.write(
        "the policy is refused, and \(consequence): \(error.message)", .error,
        AuditRecord(event: .policy, outcome: "refused", user: geteuid()).fields)
    }
  }

  /// Says which of the drivers and programs that a policy names are none: a name that is mistyped
  /// switches a reader off.
  private func warnOfWhatIsNot(in policy: MachinePolicy) {
    for trouble in troubles(of: policy) {
      let remedy = trouble.remedy.map { " (\($0))" } ?? ""
      journal.write("\(trouble.subject): \(trouble.text)\(remedy)", .warning)
    }
  }

  private func troubles(of policy: MachinePolicy) -> [ServiceTrouble] {
    policy.unusableDrivers(in: drivers).map(ServiceTrouble.init(unusableDriver:))
      + policy.screenLocks.unusablePaths().map(ServiceTrouble.init(unusableScreenLock:))
  }

  /// What is wrong with the service, for ``Protocol/GetServiceTroubles``.
  private func findTroubles() -> [ServiceTrouble] {
    [
      ServiceTrouble(login: logins.situation(of: getpid()).place),
      policyTrouble.withLock { $0 },
    ].compactMap(\.self)
      + troubles(of: policy)
  }

  // MARK: Cores

  /// Where the folders of all users lie, one each, named by their number.
  var usersFolder: String { home + "/users" }

  /// The folder of one of them.
  func folder(of user: UInt32) -> String { "\(usersFolder)/\(user)" }

  /// What the core of a user, of these parts, shares with the others.
  func membership(
    of user: UInt32, _ parts: Core.Parts, adoption: StateAdoption,
    endCore: @escaping @Sendable () -> Void
  ) -> ServiceMembership {
    let devices = devices.withLock { devices in
      let shared =
        devices
        ?? SharedDevices(parts, preferenceFile: home + "/reader", secrets: .ofService)
      devices = shared
      return shared
    }
    return ServiceMembership(
      user: user, devices: devices, naming: naming, audit: { [journal] in $0.write(in: journal) },
      adoption: adoption, troubles: { [self] in findTroubles() }, endCore: endCore,
      endProcess: endProcess)
  }

  /// Has the next request choose its reader anew.
  func forgetReader() { devices.withLock { $0 }?.readers.forgetBest() }

  /// Ends what watches the readers.
  func end() { devices.withLock { $0 }?.readers.end() }
}

extension ServiceTrouble {
  /// What whoever knows nobody's place does without; nil where logind answers.
  init?(login place: SessionPlace) {
    guard case .unknown(let reason) = place else { return nil }
    self.init(
      subject: "logind",
      text: "Nobody says who sits at this machine, so no touch counts, and the passcode does: "
        + reason,
      remedy: "Install and start systemd-logind (or elogind), the system bus and libsystemd0, "
        + "then: sudo systemctl restart authcored",
      isProblem: true)
  }

  /// A policy that was not understood, or is not believed.
  init(refusedPolicy failure: Failure, _ consequence: String) {
    self.init(
      subject: "policy", text: "It is refused, and \(consequence): \(failure.message)",
      remedy: "Mend it, then: sudo systemctl reload authcored", isProblem: true)
  }

  /// A driver that the policy names.
  init(unusableDriver failure: Failure) {
    self.init(
      subject: "policy", text: "It allows a driver that cannot be used: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }

  /// A screen lock that the policy lists.
  init(unusableScreenLock failure: Failure) {
    self.init(
      subject: "policy", text: "It lists a screen lock that no program is: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }
}
