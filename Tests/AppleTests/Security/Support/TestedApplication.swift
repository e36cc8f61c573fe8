import CoreClient
import Foundation
import Security
import TestSupport

/// An application on a device of its own, and what it asks of SecItem.
struct TestedApplication: Sendable {
  let device: TestHome
  /// Its way to the core.
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

  @discardableResult
  func add(_ attributes: [CFString: Any]) -> OSStatus { addedResult(attributes).status }

  /// What adding answers, and what was wanted of the item.
  func addedResult(_ attributes: [CFString: Any]) -> (status: OSStatus, object: AnyObject?) {
    run {
      var result: CFTypeRef?
      let status = unsafe SecItemAdd(attributes as CFDictionary, &result)
      return (status, result)
    }
  }

  /// What finding answers, and what was wanted.
  func copy(_ query: [CFString: Any]) -> (status: OSStatus, object: AnyObject?) {
    run {
      var result: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
      return (status, result)
    }
  }

  /// What finding answers where nothing is wanted of the items.
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

  /// The secret of the one item a query means, as text.
  func secret(_ query: [CFString: Any]) -> String? {
    (copy(query.merging([kSecReturnData: true]) { $1 }).object as? Data)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The attributes of the one item a query means.
  func attributes(_ query: [CFString: Any]) -> [String: Any]? {
    copy(query.merging([kSecReturnAttributes: true]) { $1 }).object as? [String: Any]
  }

  /// The attributes of all items a query means.
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
  /// The same with more.
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
