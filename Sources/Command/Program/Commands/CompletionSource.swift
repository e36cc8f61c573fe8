import ArgumentParser
import CoreClient
import LinuxSystem
import PluginHosting
import Protocol

/// Names that complete a word, from a core that is running. It starts none, asks nobody, and
/// completes nothing on a failure.
private struct CompletionSource {
  private let words: CompletionWords

  init(_ words: [String]) { self.words = CompletionWords(words) }

  /// The services of items, or their servers.
  func services() -> [String] { itemTexts(.service, ItemQuery()) }

  func servers() -> [String] {
    var query = ItemQuery()
    query.itemClass = .internet
    return itemTexts(.server, query)
  }

  func labels() -> [String] { itemTexts(.label, ItemQuery()) }

  /// The accounts of the service or server that was typed before, or all accounts.
  func accounts() -> [String] {
    var query = ItemQuery()
    query.service = words.value(of: "--service") ?? words.firstArgument(behind: "item")
    query.server = words.value(of: "--server")
    return itemTexts(.account, query)
  }

  func keys() -> [String] {
    let found = try? connection()?.ask(FindKeys(query: KeyQuery()), for: FoundKeys.self)
    return found?.keys.map(\.name) ?? []
  }

  func fingers() -> [String] {
    let list = try? connection()?.ask(ListFingers(), for: FingerList.self)
    return list?.fingers.map(\.name) ?? []
  }

  /// The names of their files. No driver is loaded.
  func drivers() -> [String] {
    Installation.current(isService: false).search.driverFiles.compactMap { path in
      let name = path.split(separator: "/").last ?? ""
      guard name.hasPrefix(Self.driverFile.before), name.hasSuffix(Self.driverFile.behind) else {
        return nil
      }
      return String(
        name.dropFirst(Self.driverFile.before.count).dropLast(Self.driverFile.behind.count))
    }
  }

  private static let driverFile = (before: "libauthcore-driver-", behind: ".so")

  private func itemTexts(_ name: AttributeName, _ query: ItemQuery) -> [String] {
    var texts: Set<String> = []
    do throws(Failure) {
      guard let connection = try connection() else { return [] }
      try FindItems(query: query).forEachPage({ (page) throws(Failure) in
        try connection.ask(page)
      }) { items in
        for item in items { texts.insert(item.values[text: name]) }
      }
    } catch {
      // Goes on with what was found so far.
    }
    return Array(texts)
  }

  private func connection() throws(Failure) -> CoreConnection? {
    let driver = words.value(of: "--driver") ?? EnvironmentVariable.value(of: "AUTHCORE_DRIVER")
    let environment = ClientEnvironment.current()
    let location = try CoreLocation.choose(
      home: words.value(of: "--home"), prints: Self.prints(of: driver), environment: environment,
      service: environment.service.presentSocket)
    guard let connection = try CoreAccess(to: location).connectIfRunning(),
      connection.isSameVersion
    else { return nil }
    return connection
  }

  /// Without a tape the replay driver plays published prints, which have a core of their own.
  private static func prints(of driver: String?) -> CoreLocation.Prints {
    guard let driver, driver == "replay" || driver.hasPrefix("replay:"), !driver.contains("tape=")
    else { return .real }
    return .synthetic
  }
}

extension CompletionKind {
  private static func names(
    _ names: @escaping @Sendable (CompletionSource) -> [String]
  ) -> CompletionKind {
    .custom { words, _, prefix in
      CompletionText.lines(
        names(CompletionSource(words)), beginningWith: prefix, for: CompletionShell.requesting)
    }
  }

  static var services: CompletionKind { names { $0.services() } }
  static var accounts: CompletionKind { names { $0.accounts() } }
  static var servers: CompletionKind { names { $0.servers() } }
  static var labels: CompletionKind { names { $0.labels() } }
  static var keys: CompletionKind { names { $0.keys() } }
  static var fingers: CompletionKind { names { $0.fingers() } }
  static var drivers: CompletionKind { names { $0.drivers() } }

  /// Completes `NAME=SERVICE` after the `=`.
  static var bindings: CompletionKind {
    .custom { words, _, prefix in
      let typed = CompletionWords.unquoted(prefix)
      guard let equals = typed.firstIndex(of: "=") else { return [] }
      let services = CompletionSource(words).services().map {
        $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
      }
      return CompletionText.lines(
        services.map { typed[...equals] + $0 }, beginningWith: prefix,
        for: CompletionShell.requesting)
    }
  }
}
