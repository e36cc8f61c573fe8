import ArgumentParser
import CoreClient
import Protocol
import Security

struct LibrariesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "libraries",
    abstract: "Measure what Apple's names cost: SecItemCopyMatching beside the native client.",
    discussion: """
      One unprotected item of a keychain of many, on a core that is there, by turns: over a \
      connection of its own, through the client that applications share, and by SecItemCopyMatching \
      with its data and its attributes.
      """)

  @Option(help: "How many items the keychain holds.") var items = 1000
  @Option(help: "How often each is measured.") var runs = 2000

  func validate() throws {
    try check(runs, in: 1...1_000_000, "--runs")
    try check(items, in: 10...100_000, "--items")
  }

  func run() throws {
    let home = try ScratchHome()
    let client = ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(home: home.path, stateFolder: nil, workingFolder: "/"),
        applicationName: "authcore-bench", program: CoreProgram.path()))
    let connection = try home.access.connect()
    try connection.fill(items) { number in
      var attributes = ItemAttributes()
      attributes.service = "service \(number)"
      return attributes
    }
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
    let result: JSON = [
      "runs": JSON(runs), "items": JSON(items), "connectionMicroseconds": bare.json(in: unit),
      "clientMicroseconds": native.json(in: unit), "secItemMicroseconds": apple.json(in: unit),
      "clientToConnection": rounded(native.median / bare.median),
      "secItemToClient": rounded(apple.median / native.median),
    ]
    print(result)
  }

  private static let warmingUp = 50

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

}
