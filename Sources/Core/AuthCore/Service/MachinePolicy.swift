import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// What whoever runs the machine asks of all its users' keychains. It can only be stricter than what
/// holds without it, but that it may name screen locks which authcore does not know.
struct MachinePolicy: Equatable, Sendable {
  /// What the enclaves enforce.
  var rules = EnclaveRules()
  /// The names of the drivers that may be used; nil: every one that is installed.
  var drivers: [String]?
  /// Which programs count as screen locks.
  var screenLocks = ScreenLocks.known

  /// What holds where none was written.
  static let none = MachinePolicy()
  /// What holds where the one that was written cannot be read: passcodes that are set go on opening,
  /// and nothing else is granted.
  static let strictest = MachinePolicy(rules: .strictest, drivers: [])

  /// Whether a driver of this name may be used.
  func allows(_ driver: String) -> Bool { drivers?.contains(driver) ?? true }

  /// Why drivers that are named cannot be used, one failure for each. Takes a while where a driver
  /// has never been asked what it is.
  func unusableDrivers(in catalog: DriverCatalog) -> [Failure] {
    (drivers ?? []).compactMap { name in
      do throws(Failure) {
        _ = try catalog.driver(name)
        return nil
      } catch {
        return error
      }
    }
  }
}

extension MachinePolicy {
  /// Reads a policy.
  /// - Throws: the first line that cannot be obeyed, and why.
  init(_ text: String) throws(PolicyText.Problem) {
    var read = Values()
    let parsed = try PolicyText(text)
    for table in parsed.tables where !Values.tables.contains(table.name) {
      throw PolicyText.Problem(line: table.line, reason: "there is no table [\(table.name)]")
    }
    for entry in parsed.entries { try read.take(entry) }
    rules = EnclaveRules(
      missesInARow: read.misses, passcodeCharacters: read.characters, reuseSeconds: read.reuse,
      allowsRelaxedRate: read.relaxed)
    drivers = read.drivers
    screenLocks = read.screenLocks
  }

  /// What has been read so far.
  private struct Values {
    static let tables = ["biometry", "passcode", "readers", "prompts"]

    var misses = TouchEvent.mostMissesInARow
    var characters = UInt32(PasscodeRules.fewestCharacters)
    var reuse = longestReuse
    var relaxed = true
    var drivers: [String]?
    var screenLocks = ScreenLocks.known

    mutating func take(_ entry: PolicyText.Entry) throws(PolicyText.Problem) {
      switch (entry.table, entry.name) {
      case ("biometry", "misses"):
        misses = try Self.number(entry, in: 1...TouchEvent.mostMissesInARow)
      case ("biometry", "reuse-seconds"): reuse = try Self.number(entry, in: 0...longestReuse)
      case ("biometry", "relaxed-rate"): relaxed = try Self.flag(entry)
      case ("passcode", "characters"):
        characters = try Self.number(
          entry,
          in: UInt32(PasscodeRules.fewestCharacters)...EnclaveRules.mostPasscodeCharacters)
      case ("readers", "drivers"):
        guard case .texts(let names) = entry.value,
          names.allSatisfy(DriverDescription.isName)
        else {
          throw Self.problem(
            entry, "is a list of names of a-z, 0-9 and -, as [\"elan\", \"uru4000\"]")
        }
        drivers = names
      case ("prompts", "screen-locks"):
        guard case .texts(let paths) = entry.value,
          paths.allSatisfy({ $0.hasPrefix("/") && !$0.hasPrefix("//") })
        else {
          throw Self.problem(
            entry, "is a list of absolute paths of programs, as [\"/usr/bin/swaylock\"]")
        }
        screenLocks = .listed(paths)
      default:
        throw PolicyText.Problem(
          line: entry.line,
          reason: entry.table.isEmpty
            ? "\(entry.name) stands in no table"
            : "[\(entry.table)] has no \(entry.name)")
      }
    }

    private static func number(
      _ entry: PolicyText.Entry, in range: ClosedRange<UInt32>
    ) throws(PolicyText.Problem) -> UInt32 {
      guard case .number(let number) = entry.value, let value = UInt32(exactly: number),
        range.contains(value)
      else {
        throw problem(entry, "is a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }

    private static func flag(_ entry: PolicyText.Entry) throws(PolicyText.Problem) -> Bool {
      guard case .flag(let flag) = entry.value else {
        throw problem(entry, "is true or false")
      }
      return flag
    }

    private static func problem(
      _ entry: PolicyText.Entry, _ what: String
    ) -> PolicyText.Problem {
      PolicyText.Problem(line: entry.line, reason: "\(entry.name) \(what)")
    }
  }
}

/// The file that whoever runs the machine writes the policy in.
struct PolicyFile: Sendable {
  /// Its path, absolute.
  let path: String

  /// Where systemd says that the configuration lies (`ConfigurationDirectory=`).
  init(_ variable: (String) -> String? = EnvironmentVariable.value(of:)) {
    let named = variable("CONFIGURATION_DIRECTORY")?.prefix { $0 != ":" } ?? ""
    path = (named.hasPrefix("/") ? String(named) : "/etc/authcore") + "/policy.toml"
  }

  private static let longest = 64 << 10

  /// What it says; where there is none, what holds without.
  /// - Throws: `coreFailed`: file, line and reason.
  func read() throws(Failure) -> MachinePolicy {
    guard let canonical = try canonicalPath() else { return .none }
    let number = unsafe open(
      canonical, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    guard number >= 0 else {
      if errno == ENOENT { return .none }
      throw failure("it cannot be opened: \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var facts = stat()
    guard unsafe fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is no file")
    }
    try requireRoot(facts, canonical)
    try requireRootsFolders(of: canonical)
    return try policy(in: file)
  }

  /// Where it lies behind all links; nil where it does not.
  private func canonicalPath() throws(Failure) -> String? {
    if let found = CanonicalPath.of(path) { return found }
    if errno == ENOENT { return nil }
    throw failure("it cannot be opened: \(SystemCallError("realpath").reason)")
  }

  /// The folders that lead to it: whoever may write into one puts another file in its place. Not in
  /// one that is sticky and root's, as the temporary folder, but for the file's own.
  private func requireRootsFolders(of file: String) throws(Failure) {
    var folder = file
    var isOwn = true
    while folder != "/", let slash = folder.lastIndex(of: "/") {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
      var facts = stat()
      guard unsafe lstat(folder, &facts) == 0 else {
        throw failure("its folder \(folder) cannot be examined: \(SystemCallError("lstat").reason)")
      }
      let isSticky = facts.st_uid == 0 && facts.st_mode & S_ISVTX != 0
      if isOwn || !isSticky { try requireRoot(facts, folder) }
      isOwn = false
    }
  }

  private func requireRoot(_ facts: stat, _ place: String) throws(Failure) {
    guard !RootOwnedPath.isRootAlone(facts) else { return }
    let remedy = facts.st_uid == 0 ? "chmod go-w \(place)" : "chown root \(place)"
    throw failure("somebody besides root may change \(place); run: \(remedy)")
  }

  private func policy(in file: borrowing Descriptor) throws(Failure) -> MachinePolicy {
    guard let bytes = DescriptorBytes.read(from: file.number, limit: Self.longest) else {
      throw failure("it cannot be read: \(SystemCallError("read").reason)")
    }
    guard bytes.count <= Self.longest else {
      throw failure("it is longer than \(Self.longest) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("it is no UTF-8 text")
    }
    do throws(PolicyText.Problem) {
      return try MachinePolicy(text)
    } catch {
      throw Failure(
        .coreFailed, "\(path):\(error.line): \(error.reason)",
        hint: "docs/administration.md says what a policy holds; systemctl reload authcored reads it"
      )
    }
  }

  private func failure(_ reason: String) -> Failure {
    Failure(.coreFailed, "\(path): \(reason)", hint: "see docs/administration.md")
  }
}
