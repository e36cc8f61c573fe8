import LinuxSystem
import PluginHosting
import Protocol

/// The administrator's rules for all keychains of the machine. They can only be stricter than the
/// defaults, except that they may name additional screen locks.
struct MachinePolicy: Equatable, Sendable {
  var rules = EnclaveRules()
  /// The names of the drivers that may be used; nil for all that are installed.
  var drivers: [String]?
  var screenLocks = ScreenLocks.known
  var forbiddenDoors: Set<Door> = []

  /// The rules without a policy.
  static let none = MachinePolicy()
  /// The rules if the policy cannot be read: passcodes that are set still work, and nothing else is
  /// granted.
  static let strictest = MachinePolicy(
    rules: .strictest, drivers: [], forbiddenDoors: Set(Door.allCases))

  func allows(_ driver: String) -> Bool { drivers?.contains(driver) ?? true }

  /// A failure for each listed driver that cannot be used. Slow if a driver has never been asked
  /// for its description.
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
  /// - Throws: the first line that is wrong, and why.
  init(_ text: String) throws(PolicyText.Problem) {
    var read = Values()
    let parsed = try PolicyText(text)
    for table in parsed.tables where !Values.tables.contains(table.name) {
      throw PolicyText.Problem(line: table.line, reason: "there is no table [\(table.name)]")
    }
    for entry in parsed.entries { try read.take(entry) }
    rules = EnclaveRules(
      missesInARow: read.misses, passcodeCharacters: read.characters, reuseSeconds: read.reuse,
      allowsRelaxedRate: read.relaxed, allowsChips: read.chips)
    drivers = read.drivers
    screenLocks = read.screenLocks
    forbiddenDoors = read.forbiddenDoors
  }

  private struct Values {
    static let tables = ["biometry", "passcode", "readers", "prompts", "doors"]

    var misses = TouchEvent.mostMissesInARow
    var characters = UInt32(PasscodeRules.fewestCharacters)
    var reuse = longestReuse
    var relaxed = true
    var chips = true
    var drivers: [String]?
    var screenLocks = ScreenLocks.known
    var forbiddenDoors: Set<Door> = []

    mutating func take(_ entry: PolicyText.Entry) throws(PolicyText.Problem) {
      switch (entry.table, entry.name) {
      case ("biometry", "misses"):
        misses = try Self.number(entry, in: 1...TouchEvent.mostMissesInARow)
      case ("biometry", "reuse-seconds"): reuse = try Self.number(entry, in: 0...longestReuse)
      case ("biometry", "relaxed-rate"): relaxed = try Self.flag(entry)
      case ("biometry", "match-on-chip"): chips = try Self.flag(entry)
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
      case ("doors", let name) where Door.allCases.contains { $0.name == name }:
        let isForbidden = try !Self.flag(entry)
        if isForbidden { forbiddenDoors.formUnion(Door.allCases.filter { $0.name == name }) }
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
      guard case .flag(let flag) = entry.value else { throw problem(entry, "is true or false") }
      return flag
    }

    private static func problem(_ entry: PolicyText.Entry, _ what: String) -> PolicyText.Problem {
      PolicyText.Problem(line: entry.line, reason: "\(entry.name) \(what)")
    }
  }
}

/// The administrator's policy file.
struct PolicyFile: Sendable {
  let path: String

  init(in folder: String = Self.folder()) { path = folder + "/policy.toml" }

  /// The folder of what the administrator configures, which systemd names
  /// (`ConfigurationDirectory=`).
  static func folder(
    _ variable: (String) -> String? = EnvironmentVariable.value(of:)
  ) -> String {
    let named = variable("CONFIGURATION_DIRECTORY")?.prefix { $0 != ":" } ?? ""
    return named.hasPrefix("/") ? String(named) : "/etc/authcore"
  }

  /// Reads the policy; ``MachinePolicy/none`` if there is no file.
  /// - Throws: `coreFailed` with file, line and reason.
  func read() throws(Failure) -> MachinePolicy {
    guard let text = try RootsFile(path: path).text() else { return .none }
    do throws(PolicyText.Problem) {
      return try MachinePolicy(text)
    } catch {
      throw Failure(
        .coreFailed, "\(path):\(error.line): \(error.reason)",
        hint: "docs/administration.md says what a policy holds; systemctl reload authcored reads it"
      )
    }
  }
}
