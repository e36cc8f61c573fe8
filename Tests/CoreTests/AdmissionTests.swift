import Protocol
import Testing

@testable import AuthCore
@testable import LinuxSystem

@Suite("Places for clients")
struct AdmissionTests {
  private static let second: UInt64 = 1_000_000_000

  private func rules(_ change: (inout AdmissionRules) -> Void) -> AdmissionRules {
    var rules = AdmissionRules()
    change(&rules)
    return rules
  }

  /// Long after everything that happens here.
  private static let later = 100 * second

  private func place(_ process: Int32, _ standing: AdmissionRules.Standing) -> AdmissionRules.Place
  {
    AdmissionRules.Place(process: process, standing: standing)
  }

  // MARK: Rules

  @Test("while there is room everybody is admitted")
  func room() {
    let rules = rules { $0.places = 2 }
    #expect(rules.decide(1, among: [], at: Self.later) == .admit)
    #expect(rules.decide(1, among: [place(1, .busy)], at: Self.later) == .admit)
  }

  @Test("ATTACKS 8: the oldest that has said no Hello gives way first, before any that has")
  func silentFirst() {
    let rules = rules { $0.places = 3 }
    let taken = [
      place(1, .idle(since: 1)), place(2, .silent(since: 9)), place(3, .silent(since: 8)),
    ]
    #expect(rules.decide(4, among: taken, at: Self.later) == .replace(2))
  }

  @Test("of those that were greeted the longest idle of the process with most places gives way")
  func idleOfTheGreediest() {
    let rules = rules { $0.places = 4 }
    let taken = [
      place(1, .idle(since: 1)), place(2, .idle(since: 7)), place(2, .idle(since: 5)),
      place(2, .busy),
    ]
    #expect(rules.decide(3, among: taken, at: Self.later) == .replace(2))
  }

  @Test("a process at its bound gives up a place of its own, or is refused while it uses all")
  func boundOfProcess() {
    let rules = rules { $0.placesOfProcess = 2 }
    let other = place(9, .silent(since: 0))
    #expect(
      rules.decide(1, among: [other, place(1, .busy), place(1, .idle(since: 5))], at: Self.later)
        == .replace(2))
    #expect(
      rules.decide(1, among: [other, place(1, .busy), place(1, .busy)], at: Self.later)
        == .processIsFull)
    #expect(
      rules.decide(2, among: [other, place(1, .busy), place(1, .busy)], at: Self.later) == .admit)
  }

  @Test(
    "while every place is in use only a process that has none gets in, as far as the reserve goes")
  func reserve() {
    let rules = rules {
      $0.places = 2
      $0.reserve = 1
    }
    let taken = [place(1, .busy), place(2, .busy)]
    #expect(rules.decide(1, among: taken, at: Self.later) == .full)
    #expect(rules.decide(3, among: taken, at: Self.later) == .admit)
    #expect(rules.decide(4, among: taken + [place(3, .busy)], at: Self.later) == .full)
  }

  @Test("a program of few connections keeps one that it used a moment ago, a greedy one does not")
  func moment() {
    let rules = rules {
      $0.places = 3
      $0.modestPlaces = 1
      $0.reserve = 0
    }
    let now = 10 * Self.second
    let (fresh, old) = (now - Self.second / 2, now - Self.second)
    let modest = [place(1, .idle(since: fresh)), place(2, .silent(since: fresh)), place(3, .busy)]
    #expect(rules.decide(4, among: modest, at: now) == .full)
    let aged = [place(1, .idle(since: fresh)), place(2, .idle(since: old)), place(3, .busy)]
    #expect(rules.decide(4, among: aged, at: now) == .replace(1))
    let greedy = [
      place(1, .idle(since: fresh)), place(2, .idle(since: fresh)), place(2, .idle(since: fresh)),
    ]
    #expect(rules.decide(4, among: greedy, at: now) == .replace(1))
  }

  @Test("ATTACKS 8: of 1,000 clients, 64 of them silent, each newcomer finds a place")
  func thousand() {
    let rules = rules {
      $0.places = 64
      $0.placesOfProcess = 32
    }
    var taken = (0..<64 as Range<UInt64>).map { place(7, .silent(since: $0)) }
    taken.removeLast(32)
    taken += (0..<32 as Range<UInt64>).map { place(8, .silent(since: $0)) }
    for number in 0..<936 as Range<Int32> {
      let standing = AdmissionRules.Standing.idle(since: 100 + UInt64(number))
      switch rules.decide(1000 + number % 10, among: taken, at: Self.later) {
      case .admit: taken.append(place(1000 + number % 10, standing))
      case .replace(let index): taken[index] = place(1000 + number % 10, standing)
      case .full, .processIsFull: Issue.record("client \(number) was refused")
      }
    }
    #expect(taken.count == 64 && taken.allSatisfy { $0.process >= 1000 })
  }

  @Test("a connection gives way unless it is busy; one that has closed already has done so")
  func givingWay() throws {
    let reason = Failure(.busy, "another client needs the place")
    func queue() -> RequestQueue { RequestQueue(at: 5) }
    let message = ReceivedMessage(
      bytes: SecretBytes(count: 5), isWhole: true, writer: nil,
      descriptors: ReceivedDescriptors(closedBy: nil))
    let request = QueuedRequest(number: 6, identifier: 1, speaker: 1, message, nil)
    var quiet = queue()
    #expect(quiet.standing == .silent(since: 5))
    var gaveWay = quiet.closeIfQuiet(reason)
    #expect(gaveWay && quiet.isClosed && quiet.farewell == reason)

    var gone = queue()
    gone.close(Failure(.systemCancel, "the client is gone"))
    gaveWay = gone.closeIfQuiet(reason)
    #expect(gaveWay && gone.farewell == nil, "nobody is left to be told")

    var busy = RequestQueue(at: 5, after: .done)
    let admission = busy.admit(request, limit: 1)
    gaveWay = busy.closeIfQuiet(reason)
    #expect(admission == .admitted && busy.standing == .busy && !gaveWay)
    _ = busy.start(with: RequestInbox())
    gaveWay = busy.closeIfQuiet(reason)
    #expect(busy.standing == .busy && !gaveWay && !busy.isClosed)
    busy.finish(at: 9, .done, keepsTurn: false)
    #expect(busy.standing == .idle(since: 9))
  }

  @Test("one user has so many clients, all have so many, and beyond that who has few gets in")
  func users() {
    var places = UserBudget(ofUser: 3, total: 5, reserve: 2, little: 2)
    let users: [UInt32] = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4]
    let taken = users.map { places.change(by: 1, for: $0) }
    #expect(
      taken == [true, true, true, false, true, true, false, true, true, false],
      "2 has two, which are not few, while there are five; 4 comes when there are seven")
    #expect(places.held == 7 && places.heldByUser == [1: 3, 2: 2, 3: 2])
    for user in [1, 2, 3] as [UInt32] { _ = places.change(by: -1, for: user) }
    #expect(places.heldByUser == [1: 2, 2: 1, 3: 1])
    let isFree = places.change(by: 1, for: 4)
    #expect(isFree && places.held == 5)
  }

  // MARK: The core

  @Test("ATTACKS 8: 64 silent clients keep nobody out, of 936 others and not quit")
  func silentClients() throws {
    let clock = TestClock()
    let test = TestCore(clock: clock.boot) { limits in
      limits.admission.places = 64
      limits.admission.placesOfProcess = 32
    }
    var silent: [FakeClient] = []
    for number in 0..<64 as Range<Int32> { silent.append(try test.connect(from: 7 + number % 2)) }
    clock.advance(seconds: 1)
    var others: [FakeClient] = []
    for number in 0..<935 as Range<Int32> {
      let client = try test.greetedClient(from: 100 + number % 8)
      try client.send(GetStatus())
      _ = try client.receive(CoreStatus.self)
      others.append(client)
      if others.count > 100 { others.removeFirst(50) }
    }
    let last = try test.connect(from: 99)
    try last.send(Quit(unlessUnlocked: false))
    _ = try last.receive(Done.self)
    #expect(test.core.waitForEnd(nanoseconds: .max))
    for client in silent {
      #expect(try client.receiveFailure() == .busy)
      #expect(client.isDisconnected())
    }
  }

  @Test("ATTACKS 8: who says no Hello within five seconds is told so and disconnected")
  func helloIsDue() throws {
    let clock = TestClock()
    let test = TestCore(clock: clock.boot)
    let silent = try test.connect()
    let greeted = try test.greetedClient()
    clock.advance(seconds: 4)
    #expect(test.core.closeSilent() == Self.second)
    let late = try test.connect()
    clock.advance(seconds: 1)
    #expect(test.core.closeSilent() == 4 * Self.second)
    #expect(try silent.receiveFailure() == .usage)
    #expect(silent.isDisconnected())
    try late.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "late"))
    _ = try late.receive(Welcome.self)
    clock.advance(seconds: 3600)
    // The standing changes with the reply, and an answered request proves that both are past
    // theirs.
    for client in [greeted, late] {
      try client.send(GetStatus())
      _ = try client.receive(CoreStatus.self)
    }
    #expect(test.core.closeSilent() == nil)
  }

  @Test("a client that waits for a person keeps its place; a newcomer is told that all are in use")
  func busyStays() throws {
    let test = TestCore { limits in
      limits.admission.places = 1
      limits.admission.reserve = 0
    }
    do {
      let first = try test.greetedClient(from: 1)
      let id = try first.send(UnlockDevice(options: .test(prefersPasscode: true)))
      let prompt = try first.receive(Prompt.self)
      let second = try test.connect(from: 2)
      #expect(try second.receiveFailure() == .busy)
      #expect(second.isDisconnected())
      try first.answer(prompt, .passcode, "1234", request: id)
      #expect(try first.receive(Evaluated.self).evidence == .passcode)
    }
    test.core.waitUntilIdle()
    _ = try test.greetedClient(from: 2)
  }

  @Test("an idle client that gives way is told why, and its driver ends")
  func idleGivesWay() throws {
    let clock = TestClock()
    let test = TestCore([.match], clock: clock.boot) { $0.admission.places = 1 }
    let first = try test.clientWithSensor()
    let id = try first.send(Evaluate(policy: .owner, reuseSeconds: 0, options: .test()))
    try first.answer(try first.receive(Prompt.self), .shown, request: id)
    _ = try first.receiveAfterProgress(Evaluated.self)
    clock.advance(seconds: 1)
    _ = try test.greetedClient(from: 2)
    #expect(try first.receiveFailure() == .busy)
    #expect(first.isDisconnected())
    test.driver.hosts.first?.waitForEnd()
  }
}
