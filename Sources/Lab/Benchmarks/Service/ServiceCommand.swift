import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

struct ServiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Measure the service of the machine under load.",
    discussion: """
      "firstAnswer" is a connection and one item, beside a connection to a server that only sends back \
      and the same item over a connection that is there. "paced" are the busy clients with a pause \
      between two requests each, beside one alone; "saturated" the same without a pause. "endurance" is \
      what memory and descriptors were before and after so many requests. "kills" are of the service \
      and of its enclave's host, under writers. "hostile" is what one user's requests take beside so many \
      that take all they can get, and without them; for root, who can be several users.
      """)

  @Option(help: "How often each start and connection is measured.") var runs = 300
  @Option(help: "How many clients are connected.") var clients = 1000
  @Option(help: "How many of them are busy.") var busy = 200
  @Option(help: "The pause between two requests of a busy client.") var pause = 1000
  @Option(help: "How many requests memory is watched for.") var requests = 20_000
  @Option(help: "How often each process is killed.") var kills = 2
  @Option(help: "How many hostile users one is measured beside.") var hostile = 10

  func validate() throws {
    try check(runs, in: 1...10_000, "--runs")
    try check(clients, in: 1...1000, "--clients")
    try check(busy, in: 1...clients, "--busy")
    try check(pause, in: 0...100_000, "--pause")
    try check(requests, in: 0...100_000_000, "--requests")
    try check(kills, in: 0...100, "--kills")
    try check(hostile, in: 0...100, "--hostile")
  }

  func run() throws {
    OpenDescriptors.allow(8192)
    let log = ProgressLog()
    do {
      let service = try ScratchService()
      log.tell("cold starts")
      let cold = try coldStarts(service)
      let connection = try service.connect()
      log.tell("idle")
      let idle = try rest(service, connection)
      log.tell("first answers")
      let first = try firstAnswers(service, connection)
      log.tell("clients")
      let load = try loads(service, connection)
      log.tell("endurance")
      let endurance = try endure(service, connection)
      log.tell("hostile users")
      let besides = try besideHostile(service)
      log.tell("kills")
      let kills = try killed(service)
      let result = JSON(
        merging: ["coldMilliseconds": cold, "idle": idle, "firstAnswer": first], load,
        ["endurance": endurance, "hostile": besides, "kills": kills])
      print(result)
    } catch let failure as Failure {
      throw BenchmarkFailure(failure.message)
    }
  }

  /// From nothing to an item that was added.
  private func coldStarts(_ service: ScratchService) throws -> JSON {
    var sample = Sample()
    for round in 0..<max(3, min(20, runs / 10)) {
      service.kill()
      try sample.measure {
        try service.start()
        let connection = try service.connect()
        if round == 0 {
          try ServiceItems.add(0, to: connection)
        } else {
          try ServiceItems.get(0, from: connection)
        }
      }
    }
    return sample.json(in: .milliseconds(1))
  }

  /// Memory right after a request and when waiting, and the cost of a request after a wait beside
  /// one of many.
  private func rest(_ service: ScratchService, _ connection: CoreConnection) throws -> JSON {
    var (waited, busy) = (Sample(), Sample())
    let before = service.usage.memory
    var after = service.usage
    for _ in 0..<5 {
      SystemThread.sleep(nanoseconds: Self.restNanoseconds)
      after = service.usage
      try waited.measure { try ServiceItems.get(0, from: connection) }
      for _ in 0..<20 { try busy.measure { try ServiceItems.get(0, from: connection) } }
    }
    return [
      "memoryKiB": JSON(after.memory), "memoryBeforeKiB": JSON(before),
      "descriptors": JSON(after.descriptors),
      "firstMicroseconds": waited.json(in: Self.unit), "nextMicroseconds": busy.json(in: Self.unit),
    ]
  }

  /// After this, everything waits that gives memory back when it waits.
  private static let restNanoseconds: UInt64 = 8_000_000_000
  private static let unit = Duration.microseconds(1)

  private func firstAnswers(
    _ service: ScratchService, _ connection: CoreConnection
  ) throws -> JSON {
    let folder = try ScratchFolder()
    let echo = try EchoServer(in: folder.path)
    var (echoing, getting, answering) = (Sample(), Sample(), Sample())
    // In turns, so that other load on the machine affects all of them.
    for _ in 0..<runs {
      try echoing.measure { try echo.visit(bytes: 32) }
      try getting.measure { try ServiceItems.get(0, from: connection) }
      try answering.measure { try ServiceItems.get(0, from: service.connect()) }
    }
    return [
      "microseconds": answering.json(in: Self.unit), "echo": echoing.json(in: Self.unit),
      "get": getting.json(in: Self.unit),
      "ratio": rounded(answering.median / (echoing.median + getting.median)),
    ]
  }

  private func loads(
    _ service: ScratchService, _ connection: CoreConnection
  ) throws -> KeyValuePairs<String, JSON> {
    var alone = Sample()
    for _ in 0..<runs { try alone.measure { try ServiceItems.get(0, from: connection) } }
    let all = try (0..<clients).map { _ in try service.connect() }
    defer { withExtendedLifetime(all) {} }
    let usage = service.usage
    let active = Array(all.prefix(busy))
    let paced = BusyClients(active, requests: 10, pause: .milliseconds(pause))
    let start = ContinuousClock.now
    let saturated = BusyClients(active, requests: 20, pause: .zero)
    let rate = Double(busy * 20) / ((.now - start) / Duration.seconds(1))
    // Those that were not busy are still connected.
    for client in all.suffix(10) { try ServiceItems.get(0, from: client) }
    return [
      "connected": [
        "clients": JSON(clients), "memoryKiB": JSON(usage.memory),
        "descriptors": JSON(usage.descriptors),
      ],
      "aloneMicroseconds": alone.json(in: Self.unit), "paced": report(paced, beside: alone),
      "saturated": report(saturated, beside: alone, perSecond: rate),
    ]
  }

  private func report(
    _ clients: BusyClients, beside alone: Sample, perSecond: Double? = nil
  ) -> JSON {
    let medians = clients.medians
    guard let least = medians.first, let most = medians.last else { return [:] }
    let middle = medians[medians.count / 2]
    let unit = Self.unit
    return JSON(
      merging: ["clients": JSON(medians.count), "failures": JSON(clients.failures)],
      clients.firstFailure.map { ["failure": .text($0)] } ?? [:],
      [
        "medianMicroseconds": [
          "least": rounded(least / unit), "middle": rounded(middle / unit),
          "most": rounded(most / unit),
        ],
        "middleBesideAlone": rounded(middle / alone.median),
        "mostBesideLeast": rounded(least > .zero ? most / least : 0),
      ], perSecond.map { ["perSecond": rounded($0)] } ?? [:])
  }

  /// A connection for every hundred requests.
  private func endure(_ service: ScratchService, _ connection: CoreConnection) throws -> JSON {
    func ask(_ count: Int) throws {
      var connection = connection
      for number in 0..<count {
        if number % 100 == 0 { connection = try service.connect() }
        try ServiceItems.get(0, from: connection)
      }
    }
    try ask(2000)
    let before = service.usage
    try ask(requests)
    let after = service.usage
    func both(_ figure: (ScratchService.Usage) -> Int) -> JSON {
      [JSON(figure(before)), JSON(figure(after))]
    }
    return [
      "requests": JSON(requests), "memoryKiB": both(\.memory),
      "beyondFilesKiB": both(\.beyondFiles),
      "descriptors": both(\.descriptors),
    ]
  }

  /// One user alone, then beside the hostile ones.
  private func besideHostile(_ service: ScratchService) throws -> JSON {
    guard geteuid() == 0, hostile > 0 else { return .null }
    service.openToAll()
    func measured() throws -> [Double] {
      let user = try MadeUpUser(64_000, of: service.path, ["--runs", "\(runs)"])
      return user.end().split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }
    let alone = try measured()
    let others = try (1...UInt32(hostile)).map {
      try MadeUpUser(64_000 + $0, of: service.path, ["--hostile"])
    }
    // Until they have everything they get.
    SystemThread.sleep(nanoseconds: 5_000_000_000)
    let beside = try measured()
    let usage = service.usage
    guard others.allSatisfy({ !$0.hasEnded }) else {
      throw BenchmarkFailure("a hostile user has ended")
    }
    guard alone.count == 3, beside.count == 3 else {
      throw BenchmarkFailure("a user was not served")
    }
    return [
      "users": JSON(hostile), "getMicroseconds": [JSON(alone[0]), JSON(beside[0])],
      "connectMicroseconds": [JSON(alone[1]), JSON(beside[1])],
      "getBesideAlone": rounded(beside[0] / alone[0]),
      "connectBesideAlone": rounded(beside[1] / alone[1]),
      "refused": [JSON(Int(alone[2])), JSON(Int(beside[2]))],
      "memoryKiB": JSON(usage.memory), "descriptors": JSON(usage.descriptors),
    ]
  }

  private func killed(_ service: ScratchService) throws -> JSON {
    let kills = try (0..<kills * 2).map { round -> JSON in
      let isHost = round % 2 == 1
      let kill = try ServiceKill(service, writers: 20, round: round, killsHost: isHost)
      return [
        "killed": .text(isHost ? "enclave" : "service"), "acknowledged": JSON(kill.acknowledged),
        "lost": JSON(kill.lost), "unanswered": JSON(kill.unanswered),
        "backMilliseconds": rounded(kill.back / .milliseconds(1)),
      ]
    }
    return JSON(elements: kills)
  }
}
