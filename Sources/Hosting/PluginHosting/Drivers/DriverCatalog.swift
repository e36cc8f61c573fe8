import Glibc
package import LinuxSystem
package import Protocol
import Sandbox
import Synchronization

/// Finds drivers and their descriptions. Any thread.
package final class DriverCatalog: Sendable {
  /// A file in the search path, and its driver or why it has none.
  package struct Entry: Sendable {
    package let path: String
    package let result: Result<InstalledDriver, Failure>
  }

  private let installation: Installation
  private let cacheFile: String?
  private let cache: Mutex<DescriptionCache>
  /// Files that could not be described, and when they may be asked again: each question costs a
  /// process, and a core asks often.
  private let refusals = Mutex<[String: Refusal]>([:])

  private struct Refusal: Sendable {
    let identity: FileIdentity
    let failure: Failure
    let end: Deadline
  }

  private static let refusalMilliseconds: Int32 = 60_000

  /// - Parameters:
  ///   - installation: where drivers and the host are found.
  ///   - cacheFile: the absolute path of a file in a folder of this user; nil to keep no cache.
  package init(_ installation: Installation, cacheFile: String? = nil) {
    (self.installation, self.cacheFile) = (installation, cacheFile)
    cache = Mutex(cacheFile.map(DescriptionCache.init(reading:)) ?? DescriptionCache())
  }

  /// Finds a driver.
  /// - Parameter nameOrPath: a path (with a '/'), a file's name (`libauthcore-driver-NAME.so`,
  ///   `NAME.so`), or what a driver calls itself.
  /// - Returns: the first driver that fits.
  /// - Throws: `driverNotFound` listing the known ones, `untrustedPlugin`, `driverFailed`.
  package func driver(_ nameOrPath: String) throws(Failure) -> InstalledDriver {
    if nameOrPath.contains("/") { return try describe(nameOrPath) }
    if DriverDescription.isName(nameOrPath),
      let path = installation.search.driverFile(named: nameOrPath)
    {
      return try describe(path)
    }
    var names: [String] = []
    for case .success(let driver) in all().map(\.result) {
      if driver.description.name == nameOrPath { return driver }
      names.append(driver.description.name)
    }
    throw Failure(
      .driverNotFound, "No driver is called \u{201C}\(nameOrPath)\u{201D}",
      hint: names.isEmpty
        ? "no driver was found; \(installation.search.lookedIn)"
        : "known drivers: " + names.joined(separator: ", "))
  }

  /// Every driver in the order of the search path, including broken ones; of two with the same name
  /// only the first.
  package func all() -> [Entry] {
    var names: Set<String> = []
    var entries: [Entry] = []
    for path in installation.search.driverFiles {
      do throws(Failure) {
        let driver = try describe(path)
        guard names.insert(driver.description.name).inserted else { continue }
        entries.append(Entry(path: driver.path, result: .success(driver)))
      } catch {
        entries.append(Entry(path: path, result: .failure(error)))
      }
    }
    return entries
  }

  /// The description of the driver in a file; asks the driver if the file is new or has changed. A
  /// failure is remembered for a minute.
  /// - Throws: `driverNotFound`, `untrustedPlugin`, `driverFailed`.
  package func describe(_ path: String) throws(Failure) -> InstalledDriver {
    let file = try TrustedFile(checking: path)
    if let known = cache.withLock({ $0[file] }) {
      return InstalledDriver(file: file, description: known)
    }
    let refusal = refusals.withLock { $0[file.path] }
    if let refusal, refusal.identity == file.identity, refusal.end.remainingMilliseconds > 0 {
      throw refusal.failure
    }
    let description: DriverDescription
    do throws(Failure) {
      description = try DriverInquiry.describe(file, in: installation)
    } catch {
      let end = Deadline(milliseconds: Self.refusalMilliseconds)
      refusals.withLock {
        $0[file.path] = Refusal(identity: file.identity, failure: error, end: end)
      }
      throw error
    }
    cache.withLock { cache in
      cache.insert(description, for: file)
      if let cacheFile { cache.write(to: cacheFile) }
    }
    return InstalledDriver(file: file, description: description)
  }
}

package struct InstalledDriver: Equatable, Sendable {
  package let file: TrustedFile
  package let description: DriverDescription
  package var path: String { file.path }

  /// The file of its device's model, `NAME-model.so` beside `NAME.so`; nil if there is none.
  package var modelBeside: String? {
    guard path.hasSuffix(".so") else { return nil }
    let model = path.dropLast(3) + "-model.so"
    return unsafe access(String(model), R_OK) == 0 ? String(model) : nil
  }
}

extension DriverDescription {
  package var confinement: Confinement {
    if flags.contains(.opensDevices) { return .opensDevices }
    return flags.contains(.readsFiles) ? .readsFiles : .closed
  }
}

/// Asks a driver for its description: a process loads it in the closed sandbox, answers, and ends.
enum DriverInquiry {
  /// How long constructors and entry may take together. They take a few milliseconds, and seconds
  /// on an emulated machine.
  static let milliseconds: Int32 = 6000
  private static let messageLimit = 128 << 10

  /// - Throws: `driverFailed` naming the file and what went wrong: no driver, another version, a
  ///   crash, silence, garbage.
  static func describe(
    _ file: TrustedFile, in installation: Installation
  ) throws(Failure) -> DriverDescription {
    var arguments = ["--describe", file.path]
    if installation.sandbox == .off { arguments += ["--sandbox", Confinement.off.rawValue] }
    let connection = try HostConnection.start(
      HostSubject(kind: .driver, path: file.path), arguments: arguments,
      messageLimit: messageLimit, in: installation)
    let deadline = Deadline(milliseconds: milliseconds)
    while let word = try connection.next(until: deadline) {
      switch consume word {
      case .described(let description): return description
      case .failure(let failure): throw connection.abandon(failure)
      case .log: continue
      default: throw connection.abandon(connection.subject.failure("broke the protocol of hosts"))
      }
    }
    throw connection.giveUp(afterMilliseconds: milliseconds)
  }
}
