import DBus
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Synchronization

/// What the cores of the service are made from.
final class ServiceFacts: Sendable {
  let home: String
  let connections: ConnectionServer
  let installation: Installation
  let hardeningLacks: [String]
  let limits = CoreLimits()
  /// Seconds without proof of the owner after which devices lock; nil to use what their owners have
  /// set.
  let lockAfter: UInt32?
  let drivers: DriverCatalog
  let journal: Journal
  let naming: any ApplicationNaming
  private let programs: ProtectedPrograms
  let foreground = Foreground()
  private let endProcess: @Sendable () -> Void
  private let devices = Mutex<SharedDevices?>(nil)
  private let policyFile = PolicyFile()
  private let readPolicy = Mutex(MachinePolicy.none)
  /// Why the policy was refused when it was last read.
  private let policyTrouble = Mutex<ServiceTrouble?>(nil)
  /// Is asked about the service's own place and about screens.
  let logins = LoginManager()
  let screens = LoginChanges(intervalMicroseconds: ScreenWatch.intervalMicroseconds)

  init(
    home: String, _ connections: ConnectionServer, _ installation: Installation,
    hardeningLacks: [String], lockAfter: UInt32?, journal: Journal, naming: any ApplicationNaming,
    programs: ProtectedPrograms, endProcess: @escaping @Sendable () -> Void
  ) {
    self.home = home
    self.connections = connections
    self.installation = installation
    self.hardeningLacks = hardeningLacks
    self.lockAfter = lockAfter
    self.journal = journal
    self.naming = naming
    self.programs = programs
    self.endProcess = endProcess
    drivers = DriverCatalog(installation, cacheFile: home + "/" + StateFolder.descriptions)
  }

  // MARK: Policy

  var policy: MachinePolicy { readPolicy.withLock { $0 } }

  /// Reads the policy when the service begins. Reports one with errors and applies the strictest
  /// policy instead: what was meant is unknown, and must not be weakened.
  func beginWithPolicy() {
    readPrograms()
    readPolicy(orElse: .strictest, "the strictest one holds until it is mended")
  }

  /// Reads the policy anew. Reports one with errors, and keeps the last good one.
  func reloadPolicy() {
    readPrograms()
    readPolicy(orElse: nil, "the last good one stays")
  }

  private func readPrograms() {
    let declared = DeclaredPrograms(in: [
      DeclaredPrograms.packagesFolder,
      DeclaredPrograms.administratorsFolder(in: PolicyFile.folder()),
    ])
    programs.use(declared)
    for problem in declared.problems { journal.write(problem, .warning) }
  }

  private func hold(_ policy: MachinePolicy) {
    readPolicy.withLock { $0 = policy }
    foreground.use(policy.screenLocks)
    programs.use(policy.screenLocks)
  }

  private func readPolicy(orElse fallback: MachinePolicy?, _ consequence: String) {
    do throws(Failure) {
      let policy = try policyFile.read()
      hold(policy)
      policyTrouble.withLock { $0 = nil }
      AuditRecord(event: .policy, user: geteuid()).write(in: journal)
      // In the background: describing a new driver takes a process of its own.
      SystemThread.start(name: "policy") { [self] in warnOfWhatIsNot(in: policy) }
    } catch {
      if let fallback { hold(fallback) }
      policyTrouble.withLock { $0 = ServiceTrouble(refusedPolicy: error, consequence) }
      journal.write(
        "the policy is refused, and \(consequence): \(error.message)", .error,
        AuditRecord(event: .policy, outcome: "refused", user: geteuid()).fields)
    }
  }

  /// Logs which drivers and programs of a policy do not exist: a mistyped name disables a reader.
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

  private func findTroubles() -> [ServiceTrouble] {
    [
      ServiceTrouble(login: logins.situation(of: getpid()).place),
      policyTrouble.withLock { $0 },
    ].compactMap(\.self) + troubles(of: policy)
  }

  // MARK: Cores

  /// Holds a folder for each user, named by the user's number.
  var usersFolder: String { home + "/users" }

  func folder(of user: UInt32) -> String { "\(usersFolder)/\(user)" }

  /// What a user's core, made of `parts`, shares with the others.
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
      forbiddenDoors: { [self] in policy.forbiddenDoors }, adoption: adoption,
      troubles: { [self] in findTroubles() }, endCore: endCore, endProcess: endProcess)
  }

  func forgetReader() { devices.withLock { $0 }?.readers.forgetBest() }
  func end() { devices.withLock { $0 }?.readers.end() }
}

extension ServiceTrouble {
  /// nil if logind answers.
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

  init(refusedPolicy failure: Failure, _ consequence: String) {
    self.init(
      subject: "policy", text: "It is refused, and \(consequence): \(failure.message)",
      remedy: "Mend it, then: sudo systemctl reload authcored", isProblem: true)
  }

  init(unusableDriver failure: Failure) {
    self.init(
      subject: "policy", text: "It allows a driver that cannot be used: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }

  init(unusableScreenLock failure: Failure) {
    self.init(
      subject: "policy", text: "It lists a screen lock that no program is: \(failure.message)",
      remedy: failure.hint, isProblem: false)
  }
}
