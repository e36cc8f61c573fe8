import Foundation
import Protocol
import SyntheticPrints
import Testing

/// Requests of every kind on few names, so that they meet: what one adds another changes and a third
/// removes. The same seed asks for the same.
struct Workload {
  private var generator: RandomNumbers
  private var count = 0

  init(seed: UInt64) { generator = RandomNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 | 1) }

  /// Asks for one thing; whether it was done. What cannot be done (a name that is taken, an item that
  /// is not there) is no error.
  mutating func step(_ keychain: TestKeychain) throws -> Bool {
    keychain.enclave.evidence[1] = [.biometry, .passcode]
    count += 1
    let service = "service \(Int.random(in: 0..<4, using: &generator))"
    let account = "account \(Int.random(in: 0..<4, using: &generator))"
    let longest = Int.random(in: 0..<8, using: &generator) == 0 ? 15_000 : 200
    let secret =
      "\(count) " + String(repeating: "s", count: Int.random(in: 0..<longest, using: &generator))
    let kind = Int.random(in: 0..<26, using: &generator)
    let failure = try code {
      switch kind {
      case 0..<9: try keychain.add(service, account, label: "label \(count)", secret: secret)
      case 9: try keychain.add(service, account, secret: secret, access: "presence")
      case 10..<13: try keychain.update(query(service, account), secret: secret)
      case 13, 14: try keychain.update(query(service), changes(label: "\(count)"), all: true)
      case 15: try keychain.update(query(service, account), changes(account: "moved \(count)"))
      case 16: try keychain.update(query(service), changes(guarding: .nothing), all: true)
      case 17, 18: try keychain.remove(query(service, account))
      case 19: try keychain.remove(query(service), all: true)
      case 20, 21: try keychain.createKey(service)
      case 22: try keychain.removeKey(service)
      case 23, 24:
        try keychain.add((0..<3).map { Self.item(service, "\(account) of \($0)", secret) })
      default: _ = try keychain.removePasscodeBound()
      }
    }
    let harmless: [FailureCode] = [.errSecDuplicateItem, .errSecItemNotFound]
    if let failure, !harmless.contains(failure) { throw Failure(failure, "kind \(kind)") }
    return failure == nil
  }

  private static func item(
    _ service: String, _ account: String, _ secret: String
  ) -> (attributes: ItemAttributes, secret: [UInt8]) {
    var attributes = ItemAttributes()
    (attributes.service, attributes.account) = (service, account)
    return (attributes, Array(secret.utf8))
  }
}

/// How much the tests of durability try: a part in `make test`, all of it in
/// `make test-durability`.
enum Thoroughness {
  static let isFull = ProcessInfo.processInfo.environment["AUTHCORE_DURABILITY"] == "full"

  /// After how long a test hangs: with all of it, tests wait for hours for their turn.
  static let limit = TimeLimitTrait.Duration.minutes(number(15, full: 600))

  /// One number or the other.
  static func number<Number>(_ part: Number, full: Number) -> Number { isFull ? full : part }

  /// Reports what a long run did.
  static func report(_ line: String) {
    if isFull { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
  }
}
