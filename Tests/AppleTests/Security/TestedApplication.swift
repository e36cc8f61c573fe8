import CoreClient
import Foundation
import Protocol
import Security
import TestSupport

/// An application on a device of its own, and its calls of SecItem.
struct TestedApplication: Sendable {
  let device: TestHome
  let client: ApplicationClient

  /// `driver` is what `AUTHCORE_DRIVER` names, `program` the core that is started on demand.
  init(
    _ device: TestHome, driver: String? = nil,
    program: String = Products.program("authcored")
  ) {
    self.device = device
    client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: device.home, driver: driver, stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Tests", program: program))
  }

  /// Makes calls as this application.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ApplicationClient.$replacement.withValue(client, operation: body)
  }

  /// How many keys of the enclave it has.
  func keyCount() throws -> Int {
    do throws(Failure) {
      let found: FoundKeys = try client.ask(FindKeys(query: KeyQuery()))
      return found.keys.count
    } catch {
      guard error.code == .errSecItemNotFound else { throw error }
      return 0
    }
  }

  @discardableResult
  func add(_ attributes: [CFString: Any]) -> OSStatus { addedResult(attributes).status }

  /// The status of adding, and the result.
  func addedResult(_ attributes: [CFString: Any]) -> (status: OSStatus, object: AnyObject?) {
    run {
      var result: CFTypeRef?
      let status = unsafe SecItemAdd(attributes as CFDictionary, &result)
      return (status, result)
    }
  }

  /// The status of finding, and the result.
  func copy(_ query: [CFString: Any]) -> (status: OSStatus, object: AnyObject?) {
    run {
      var result: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
      return (status, result)
    }
  }

  /// The status of finding without a result.
  func status(_ query: [CFString: Any]) -> OSStatus {
    run { SecItemCopyMatching(query as CFDictionary, nil) }
  }

  @discardableResult
  func update(_ query: [CFString: Any], _ changes: [CFString: Any]) -> OSStatus {
    run { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
  }

  @discardableResult
  func delete(_ query: [CFString: Any]) -> OSStatus {
    run { SecItemDelete(query as CFDictionary) }
  }

  /// The secret of the one matching item, as text.
  func secret(_ query: [CFString: Any]) -> String? {
    (copy(query.merging([kSecReturnData: true]) { $1 }).object as? Data)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The attributes of the one matching item.
  func attributes(_ query: [CFString: Any]) -> [String: Any]? {
    copy(query.merging([kSecReturnAttributes: true]) { $1 }).object as? [String: Any]
  }

  /// The attributes of all matching items.
  func all(_ query: [CFString: Any]) -> [[String: Any]] {
    copy(query.merging([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]) { $1 })
      .object as? [[String: Any]] ?? []
  }
}

/// A generic password.
func password(
  _ service: String, _ account: String? = nil, secret: String? = nil
) -> [CFString: Any] {
  var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
  if let account { item[kSecAttrAccount] = account }
  if let secret { item[kSecValueData] = Data(secret.utf8) }
  return item
}

extension Dictionary where Key == CFString, Value == Any {
  /// The dictionary with further entries.
  func with(_ more: [CFString: Any]) -> [CFString: Any] { merging(more) { $1 } }
}

/// An access control of these flags.
func accessControl(
  _ flags: SecAccessControlCreateFlags,
  _ protection: CFString = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
) -> SecAccessControl {
  guard let made = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
    preconditionFailure("these flags make no access control")
  }
  return made
}

/// A table of Apple's names and values, if the machine has it: it is not part of the project.
enum AppleTable {
  /// The folder, from the environment or beside the package.
  static let folder: String = {
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return (ProcessInfo.processInfo.environment["AUTHCORE_SHARED"] ?? "/\(package)/../shared")
      + "/appleapi"
  }()

  /// Whether there are such tables.
  static var areThere: Bool {
    FileManager.default.isReadableFile(atPath: folder + "/constants.tsv")
      && FileManager.default.isReadableFile(atPath: folder + "/errsec.tsv")
  }

  /// The rows of a table, without its heading.
  static func rows(_ name: String) throws -> [(name: String, value: String)] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      .split(separator: "\n").dropFirst()
      .map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }
  }
}

/// A context of an application, as `LAContext` lends it.
final class LentContext: _AuthenticationContext {
  let context: ApplicationContext
  private let isAllowed: Bool

  init(_ application: TestedApplication, isAllowed: Bool = true) {
    context = ApplicationContext(application.client)
    self.isAllowed = isAllowed
  }

  var _authentication: _Authentication {
    _Authentication(in: context, Prompting(reason: "a reason", isAllowed: isAllowed))
  }
}

/// Access controls and their expected flags, for parameterized tests.
struct FlagCase: Sendable, CustomStringConvertible {
  let flags: SecAccessControlCreateFlags
  let isValid: Bool
  var description: String { "0x\(String(flags.rawValue, radix: 16)) \(isValid)" }

  init(_ flags: SecAccessControlCreateFlags, _ isValid: Bool) {
    self.flags = flags
    self.isValid = isValid
  }
}
