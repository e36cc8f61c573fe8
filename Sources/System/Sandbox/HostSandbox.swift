import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// The sandbox of a process that hosts one plugin, entered in two steps that only take rights away.
///
/// 1. ``prepare(descriptorCount:mailbox:message:holdsSecrets:)`` and
///    ``enterLoading(files:folder:)``: before the plugin's file is loaded, because loading runs its
///    constructors. The plugin's file and libraries can be read and mapped as code, nothing else.
/// 2. ``close(folder:)``: before the plugin's entry is called.
///
/// A constructor runs in the same memory as the code of the second step and could prevent it. So
/// the first step alone forbids files, sockets, programs, and memory that is written and executed;
/// the second takes away what only the loader needs.
///
/// Both need a process with one thread: Landlock holds the calling thread and those it starts
/// later.
package struct HostSandbox: ~Copyable {
  /// What the kernel has allowed so far.
  package private(set) var report: SandboxReport
  private var running = FileRules()
  /// The files to load, held open: a rule refers to a file in the kernel's memory, and a file of a
  /// shared folder (9p) becomes another one when it is closed.
  private var held: [HeldPath] = []
  private var knownDescriptors: Set<Int32> = []

  /// The exit status of a host after a forbidden call.
  package static let trappedStatus: Int32 = 99

  /// Bytes of address space: more than twice what the largest frame, a match and the libraries of a
  /// driver take together.
  private static let mostMemory: UInt = 1 << 30

  package init(_ confinement: Confinement) { report = SandboxReport(confinement) }

  private var confinement: Confinement { report.confinement }

  /// Gives up descriptors, environment, capabilities, core dumps and the chance to gain privileges,
  /// even without a sandbox.
  /// - Parameters:
  ///   - descriptorCount: descriptors from this number on are closed.
  ///   - mailbox: the socket to report a forbidden system call to.
  ///   - message: the number of that message.
  ///   - holdsSecrets: if false, the process can be traced without a sandbox, as umockdev needs.
  package mutating func prepare(
    descriptorCount: Int32, mailbox: Int32, message: UInt8, holdsSecrets: Bool
  ) {
    _ = ac_close_from(descriptorCount)
    // Ends this process when the starter's thread ends, in case the end of the mailbox goes
    // unnoticed.
    _ = ac_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0)
    report.lacks += ProcessHardening.apply(isTraceable: !report.isOn && !holdsSecrets)
    report.noNewPrivileges = ac_prctl(PR_GET_NO_NEW_PRIVS, 0, 0) == 1
    guard report.isOn else {
      report.lacks.append("the sandbox is switched off (AUTHCORE_SANDBOX=off)")
      return
    }
    EnvironmentVariable.removeAll()
    report.lacks += ProcessRights.giveUpEvenRoots()
    // The Swift runtime's handlers would start a program that prints a backtrace.
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number, SIG_DFL)
    }
    // A write beyond the limit then fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    let largestFile: UInt = confinement == .enclave ? 256 << 20 : 0
    let limited =
      ProcessHardening.limit(RLIMIT_FSIZE, to: largestFile)
      && ProcessHardening.limit(RLIMIT_NOFILE, to: 256)
      && (Sanitizer.isPresent || ProcessHardening.limit(RLIMIT_AS, to: Self.mostMemory))
    // Each arena of malloc takes 64 MiB of addresses.
    ac_limit_arenas(2)
    if !limited { report.lacks.append("memory and files could not be limited") }
    if ac_report_trapped_calls(mailbox, message, Self.trappedStatus) != 0 {
      report.lacks.append("forbidden system calls end the host without being named")
    }
  }

  /// The first step: lets these files and the system's libraries be read, and the folder be used.
  /// - Parameters:
  ///   - files: the canonical paths of the files to load.
  ///   - folder: the enclave's folder.
  package mutating func enterLoading(files: [String], folder: String? = nil) {
    guard report.isOn else { return }
    Self.grantRunning(confinement, folder: folder, in: &running)
    // Of two sets of rules both hold, so this one grants whatever the next one does.
    var loading = running
    for path in files + Self.systemLibraries { loading.allow(.readFile, below: path) }
    held = files.compactMap(HeldPath.init)
    enforce(loading)
    install(.loading(confinement))
    noteDescriptors()
  }

  /// Takes the open descriptors as known, including those that a transport made when it was
  /// entered.
  package mutating func noteDescriptors() { knownDescriptors = OpenDescriptors.numbers() }

  /// Descriptors that constructors left open since the last ``noteDescriptors()``, lowest first:
  /// they would outlast the sandbox that forbids opening them. None without a sandbox.
  package func strayDescriptors() -> [Int32] {
    report.isOn ? OpenDescriptors.numbers().subtracting(knownDescriptors).sorted() : []
  }

  /// The second step: leaves the plugin only what its kind needs.
  ///
  /// - Parameter folder: the descriptor of the enclave's folder.
  /// - Throws: `coreFailed` if something that worked in the first step fails now: a constructor
  ///   prevents it.
  package mutating func close(folder: Int32 = -1) throws(Failure) {
    guard report.isOn else { return }
    let first = report
    held = []
    enforce(running)
    install(.running(confinement, folder: folder))
    guard report.seccomp == first.seccomp, report.landlockVersion == first.landlockVersion else {
      throw Failure(
        .coreFailed,
        "The sandbox could not be closed after loading: \(report.lacks.last ?? "no reason given")",
        hint: "a constructor of the plugin is at fault: try another version of it")
    }
  }

  package mutating func note(lockedMemory: Bool) {
    report.lockedMemory = lockedMemory
    if !lockedMemory {
      report.lacks.append(
        "memory for secrets could not be locked (ulimit -l); it may be swapped out")
    }
  }

  private mutating func enforce(_ rules: FileRules) {
    let lack: String
    do {
      report.landlockVersion = try rules.enforce()
      guard report.landlockVersion == 0 else { return }
      lack = "this kernel has no Landlock: only the system call filter keeps files away"
    } catch {
      report.landlockVersion = 0
      lack = "files are not held back by Landlock (\(error))"
    }
    if !report.lacks.contains(lack) { report.lacks.append(lack) }
  }

  private mutating func install(_ filter: SystemCallFilter) {
    do {
      try filter.install()
      report.seccomp = true
    } catch {
      report.seccomp = false
      report.lacks.append("system calls are not filtered (\(error))")
    }
  }

  private static func grantRunning(
    _ confinement: Confinement, folder: String?, in rules: inout FileRules
  ) {
    switch confinement {
    case .off, .closed, .usesDevice: break
    case .enclave: if let folder { rules.allow(.readAndWrite, below: folder) }
    case .readsFiles: for path in ordinaryFolders() { rules.allow(.read, below: path) }
    case .watchesDevices:
      for path in ["/sys", "/run/udev", "/etc/udev", "/usr/lib/udev", "/lib/udev"] {
        rules.allow(.read, below: path)
      }
    case .opensDevices:
      for path in ordinaryFolders() + ["/sys"] { rules.allow(.read, below: path) }
      rules.allow(.useDevices, below: "/dev")
    }
  }

  /// Everything directly below the root except the kernel's folders.
  private static func ordinaryFolders() -> [String] {
    FolderNames.all(in: "/").filter { !["dev", "proc", "sys"].contains($0) }.map { "/" + $0 }
  }

  /// The loader's search path.
  private static let systemLibraries = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
  ]
}

/// What every process that handles secrets gives up at once.
package enum ProcessHardening {
  /// No core dumps, no tracing by other processes of the user, no new privileges.
  /// - Parameter isTraceable: allows tracing. A process that cannot be traced cannot read its own
  ///   `/proc/self/fd`, as umockdev's preloaded library does.
  /// - Returns: a sentence for each that failed.
  package static func apply(isTraceable: Bool = false) -> [String] {
    var lacks: [String] = []
    if !limit(RLIMIT_CORE, to: 0) { lacks.append("core dumps could not be switched off") }
    if isTraceable || ac_prctl(PR_SET_DUMPABLE, 0, 0) != 0 {
      lacks.append("other processes of this user can trace this one")
    }
    if ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) != 0 {
      lacks.append("new privileges could not be ruled out")
    }
    return lacks
  }

  static func limit(_ resource: __rlimit_resource, to value: UInt) -> Bool {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    let lower = min(value, limit.rlim_max)
    limit = rlimit(rlim_cur: lower, rlim_max: lower)
    return unsafe setrlimit(resource, &limit) == 0
  }
}

/// Whether this program was built with a sanitizer, whose shadow memory takes terabytes of
/// addresses.
enum Sanitizer {
  static var isPresent: Bool {
    let marks: [String] = ["__asan_init", "__tsan_init", "__hwasan_init"]
    // RTLD_DEFAULT is NULL: the program and its libraries.
    return marks.contains { unsafe dlsym(nil, $0) != nil }
  }
}
