import ArgumentParser
import CoreClient
import Protocol

struct ScriptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scripts",
    abstract: "Measure what scripts run often: status, item get, item list.",
    discussion: """
      On a core that is there, beside a program that only parses and what the core itself takes for \
      the same requests over a connection of their own.
      """)

  @Option(help: "How many items the keychain holds.") var items = 1000
  @Option(help: "How often each is measured.") var runs = 30

  /// The group whose items both the command and this program find.
  private static let group = "benchmark"

  func validate() throws {
    try check(runs, in: 1...10_000, "--runs")
    try check(items, in: 1...100_000, "--items")
  }

  func run() throws {
    let home = try ScratchHome()
    try home.access.connect().fill(items) { number in
      var attributes = ItemAttributes()
      attributes.service = "service \(number)"
      attributes.account = "account \(number / 10)"
      attributes.group = Self.group
      return attributes
    }
    let requests = [
      ScriptedRequest("status", ["status"]) { (core) throws(Failure) in
        let _: CoreStatus = try core.request(GetStatus())
      },
      ScriptedRequest("itemGet", ["item", "get", "service 7", "--group", Self.group]) {
        (core) throws(Failure) in
        var query = Self.query
        query.service = "service 7"
        let _: GotItem = try core.ask(GetItem(query: query))
      },
      ScriptedRequest("itemList", ["item", "list", "--group", Self.group]) {
        (core) throws(Failure) in
        try FindItems(query: Self.query).forEachPage {
          (page) throws(Failure) in
          try core.ask(page)
        } _: { _ in
        }
      },
    ]
    let options = ["--home", home.path, "--json"]
    let bare = MeasuredProgram(CoreProgram.folder() + "/authcore-bench", ["parse-only"] + options)
    var parsing = Sample()
    var samples = requests.map { _ in (command: Sample(), core: Sample()) }
    for round in 0...runs {
      if round > 0 { try parsing.measure { try bare.run() } }
      for (index, request) in requests.enumerated() {
        let command = MeasuredProgram(
          CoreProgram.folder() + "/authcore", request.arguments + options)
        // The first round warms up.
        guard round > 0 else {
          try command.run()
          continue
        }
        try samples[index].command.measure { try command.run() }
        try samples[index].core.measure { try request.ask(home.access.connect()) }
      }
    }
    let unit = Duration.milliseconds(1)
    let facts: [(String, JSON)] = [
      ("runs", JSON(runs)), ("items", JSON(items)),
      ("parseOnlyMilliseconds", parsing.json(in: unit)),
    ]
    let results = zip(requests, samples).map { request, sample -> (String, JSON) in
      let result: JSON = [
        "milliseconds": sample.command.json(in: unit),
        "coreMilliseconds": sample.core.json(in: unit),
        "ratio": rounded(sample.command.median / (parsing.median + sample.core.median)),
      ]
      return (request.name, result)
    }
    print(JSON(members: facts + results))
  }

  private static var query: ItemQuery {
    var query = ItemQuery()
    query.group = group
    return query
  }

}

/// A request by the command and by this program.
private struct ScriptedRequest {
  let name: String
  let arguments: [String]
  let ask: (CoreConnection) throws(Failure) -> Void

  init(
    _ name: String, _ arguments: [String],
    _ ask: @escaping (CoreConnection) throws(Failure) -> Void
  ) {
    (self.name, self.arguments, self.ask) = (name, arguments, ask)
  }
}
