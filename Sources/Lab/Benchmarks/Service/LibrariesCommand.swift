import ArgumentParser
import CoreClient
import Protocol
import Security

/// `authcore-bench libraries`
struct LibrariesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "libraries",
    abstract: "Measure what Apple's names cost: SecItemCopyMatching beside the native client.",
    discussion: """
      One unprotected item of a keychain of many, on a core that is there, by turns: over a \
      connection of its own, through the client that applications share, and by SecItemCopyMatching \
      with its data and its attributes.
      """)

  @Option(help: ArgumentHelp("How many items the keychain holds.", valueName: "n"))
  var items = 1000

  @Option(help: ArgumentHelp("How often each is measured.", valueName: "n"))
  var runs = 2000

  func run() throws {
    guard 1...1_000_000 ~= runs else { throw ValidationError("--runs is between 1 and 1000000") }
    guard 10...100_000 ~= items else { throw ValidationError("--items is between 10 and 100000") }
    let home = try ScratchHome()
    let client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(home: home.path, stateFolder: nil, workingFolder: "/"),
        applicationName: "authcore-bench", program: CoreProgram.path()))
    let connection = try home.access.connect()
    try fill(connection)
    var (bare, native, apple) = (Sample(), Sample(), Sample())
    try ApplicationClient.$replacement.withValue(client) {
      for round in 0..<(runs + Self.warmingUp) {
        let service = "service \(round % items)"
        let timed = try measured(service, connection, client)
        guard round >= Self.warmingUp else { continue }
        bare.add(timed.bare)
        native.add(timed.native)
        apple.add(timed.apple)
      }
    }
    let unit = Duration.microseconds(1)
    print(
      """
      {"runs":\(runs),"items":\(items),"connectionMicroseconds":\(bare.json(in: unit)),\
      "clientMicroseconds":\(native.json(in: unit)),\
      "secItemMicroseconds":\(apple.json(in: unit)),\
      "clientToConnection":\(rounded(native.median / bare.median)),\
      "secItemToClient":\(rounded(apple.median / native.median))}
      """)
  }

  private static let warmingUp = 50

  /// One item, got in each way.
  private func measured(
    _ service: String, _ connection: CoreConnection, _ client: ApplicationClient
  ) throws -> (bare: Duration, native: Duration, apple: Duration) {
    var query = ItemQuery()
    query.itemClass = .generic
    query.service = service
    let dictionary =
      [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecReturnData as String: true, kSecReturnAttributes as String: true,
      ] as CFDictionary
    let clock = ContinuousClock()
    let bare = try clock.measure { let _: GotItem = try connection.ask(GetItem(query: query)) }
    let native = try clock.measure { let _: GotItem = try client.ask(GetItem(query: query)) }
    var status = errSecSuccess
    let apple = clock.measure {
      var result: CFTypeRef?
      status = unsafe SecItemCopyMatching(dictionary, &result)
    }
    guard status == errSecSuccess else {
      throw Failure(.engineFailed, "SecItemCopyMatching answered \(status)")
    }
    return (bare, native, apple)
  }

  private func fill(_ connection: CoreConnection) throws(Failure) {
    var addition = BulkAddition { (message) throws(Failure) in try connection.ask(message) }
    for number in 0..<items {
      var attributes = ItemAttributes()
      attributes.service = "service \(number)"
      try addition.add(attributes, SecretBytes(count: 32))
    }
    guard try addition.finish().allSatisfy(\.isAdded) else {
      throw Failure(.engineFailed, "The keychain did not take all items")
    }
  }
}
