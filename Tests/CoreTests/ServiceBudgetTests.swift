import Foundation
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

/// What the service promises its users, added up.
@Suite("The budget of the service")
struct ServiceBudgetTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// A limit of the unit.
  private func limit(_ name: String) throws -> Int {
    let unit = try String(
      contentsOf: Self.root.appendingPathComponent("packaging/systemd/authcored.service"),
      encoding: .utf8)
    let line = try #require(
      unit.split(separator: "\n").first { $0.hasPrefix(name + "=") }, "\(name) is not limited")
    let text = line.dropFirst(name.count + 1)
    let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let factor = text.last.flatMap({ factors[$0] }) else { return try #require(Int(text)) }
    return try #require(Int(text.dropLast())) * factor
  }

  private let turns = TurnOrder.Limits()
  private var users: Int { ServiceBudget.users }

  /// Descriptors of one user that wait to be closed: as many as may, and those of one more read.
  private var sent: Int { ClosingLine.long + MessageStream.mostArriving }

  private var threads: Int {
    // Each user has one that closes.
    turns.attending + turns.places + 2 * users
      + users * (CoreLimits().agents + ServiceBudget.threadsOfCore)
  }

  private var descriptors: Int {
    let places = ServiceBudget.places
    return (places.total + places.reserve) * ServiceBudget.descriptorsOfPlace
      + users * (ServiceBudget.descriptorsOfCore + sent) + 2 * threads
  }

  @Test("FINDINGS A10: descriptors, threads and memory of all users fit the limits of the unit")
  func sums() throws {
    #expect(try descriptors <= limit("LimitNOFILE"))
    #expect(try threads + users * ServiceBudget.threadsOfCore <= limit("TasksMax"), "with hosts")
    #expect(try ServiceBudget.lockedMemory + (4 << 20) <= limit("LimitMEMLOCK"))
    let unsent = ServiceBudget.unsent
    let processes = users * (10 << 20)
    let connections = (ServiceBudget.places.total + ServiceBudget.places.reserve) * (8 << 10)
    #expect(
      try unsent.total + unsent.reserve + processes + connections + ServiceBudget.lockedMemory
        <= limit("MemoryMax"))
  }

  @Test(
    "FINDINGS A10: what many hostile users hold leaves every other one, and root, enough",
    arguments: [ServiceBudget.places, ServiceBudget.places(within: 20_000), ServiceBudget.unsent])
  func reserves(budget: UserBudget) {
    var budget = budget
    let step = max(1, budget.little / 4)
    for user in 1...UInt32(users - 2) { while budget.change(by: step, for: user) {} }
    for user in [0, 1000] as [UInt32] {
      let isServed = budget.change(by: budget.little, for: user)
      #expect(isServed, "user \(user)")
    }
    #expect(budget.held <= budget.total + budget.reserve)
  }

  @Test(
    "FINDINGS A10: a process that may open fewer descriptors takes fewer clients",
    arguments: [16_384, 20_000, 65_536, 262_144])
  func fewerDescriptors(limit: Int) {
    let places = ServiceBudget.places(within: limit)
    let taken = (places.total + places.reserve) * ServiceBudget.descriptorsOfPlace
    #expect(taken + users * ServiceBudget.descriptorsOfCore <= limit)
    #expect(places.ofUser <= places.total && places.little >= 1)
  }

  @Test("FINDINGS A10: requests of hostile users that wait for a person leave the others theirs")
  func attending() {
    var order = TurnOrder()
    var last: UInt64 = 0
    func attend(_ user: UInt32, _ process: Int32) -> TurnOrder.Attendance? {
      last += 1
      order.add(last, of: TurnOrder.Owner(user: user, process: process))
      let now = last * turns.stallNanoseconds
      return order.next(at: now).map { order.attend($0, at: now) }
    }
    for user in 1...UInt32(users - 1) {
      while attend(user, 1) == .granted {}
      while attend(user, 2) == .granted {}
    }
    for _ in 0..<turns.few { #expect(attend(1000, 1) == .granted) }
  }

  @Test("FINDINGS A10: the table of docs/administration.md has the numbers of the code")
  func table() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("docs/administration.md"), encoding: .utf8)
    let (limits, places, secrets) = (CoreLimits(), ServiceBudget.places, SecretBudget.ofService)
    let rows = [
      row("connections", limits.admission.placesOfProcess, limits.admission.places, places.total),
      row(
        "requests that wait for a person", turns.attendingOfProcess, turns.attendingOfUser,
        turns.attending),
      row(
        "locked memory", "\(secrets.ofProcess >> 10) KiB", "\(secrets.ofUser >> 10) KiB",
        "\(ServiceBudget.lockedMemory >> 20) MiB"),
      row(
        "answers not read", "\(limits.unsentBytes >> 10) KiB",
        "\(ServiceBudget.unsent.ofUser >> 20) MiB", "\(ServiceBudget.unsent.total >> 20) MiB"),
      row("users", "", "", users),
    ]
    for row in rows { #expect(text.contains(row), "\(row)") }
  }

  private func row(_ cells: any CustomStringConvertible...) -> String {
    "| " + cells.map(\.description).joined(separator: " | ") + " |"
  }
}
