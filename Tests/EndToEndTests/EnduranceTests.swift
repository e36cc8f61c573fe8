import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

private let touches = Int(ProcessInfo.processInfo.environment["AUTHCORE_ENDURANCE"] ?? "") ?? 0

/// Months of use in one run. `AUTHCORE_ENDURANCE` is the number of touches; there are as many requests,
/// and a hundredth as many of everything else. `make test` runs it on an optimized build.
@Suite(
  "What a core does for months leaves nothing behind", .serialized,
  .enabled(if: touches > 0, "AUTHCORE_ENDURANCE says how many touches"))
struct EnduranceTests {
  /// The growth that is allowed, in KiB. Memory: the allocator's arenas fill up unevenly. Files:
  /// SQLite's log is rewritten at 4 MiB, and templates learn until they are full.
  private static let (memory, files) = (3072, 5120)

  private struct Exercise {
    let name: String
    let count: Int
    let perform: (Int) throws -> Void
  }

  /// Performs each exercise to warm up, then as often as it says between two looks at the processes.
  private func endure(_ exercises: [Exercise], folder: String, processes: () -> [Int32]) throws {
    for exercise in exercises { try exercise.perform(max(20, exercise.count / 10)) }
    func look() -> Footprint { Footprint(of: processes(), folder: folder) }
    for exercise in exercises {
      let before = look()
      let start = ContinuousClock.now
      try exercise.perform(exercise.count)
      // The core clears up after a client only when the client is gone.
      var growth: [String] = []
      let isClear = eventually {
        growth = look().growth(since: before, memoryKiB: Self.memory, fileKiB: Self.files)
        return growth.isEmpty
      }
      print("\(exercise.name): \(exercise.count) in \(ContinuousClock.now - start)")
      print(before.account, look().account, separator: "\n  then\n")
      #expect(isClear, "\(exercise.count) \(exercise.name): \(growth)")
    }
  }

  @Test(
    "FINDINGS A1: touches, requests, enrollments, passcodes, locks and lost clients leave nothing")
  func device() throws {
    let device = try EnduredDevice()
    let few = max(1, touches / 100)
    try endure(
      [
        Exercise(name: "touches", count: touches, perform: device.touch),
        Exercise(name: "touches cancelled", count: few, perform: device.cancelTouches),
        Exercise(name: "requests", count: touches, perform: device.requests.perform),
        Exercise(name: "fingers enrolled and removed", count: few, perform: device.enroll),
        Exercise(name: "passcodes changed", count: few, perform: device.changePasscode),
        Exercise(name: "locks and unlocks", count: few, perform: device.lock),
        Exercise(name: "prompts abandoned", count: few, perform: device.abandonPrompts),
        Exercise(name: "readers that come and go", count: few, perform: device.changeReaders),
      ], folder: device.state.home, processes: { device.state.processes })
  }

  @Test("FINDINGS A1: requests to the service of the machine leave nothing")
  func service() throws {
    let service = try TestService()
    let requests = EnduredRequests(
      CoreAccess(to: .service(socket: service.socket), program: "/none"))
    try endure(
      [Exercise(name: "requests", count: touches, perform: requests.perform)],
      folder: service.state,
      processes: { [service.process].compactMap(\.self) + service.children(named: "") })
  }
}

/// Requests of programs, a hundred per connection.
struct EnduredRequests {
  private let access: CoreAccess

  init(_ access: CoreAccess) { self.access = access }

  /// In tens: adds an item, finds it, reads it six times, removes it, and asks for the status.
  func perform(_ count: Int) throws {
    var query = ItemQuery()
    query.service = "endured"
    var attributes = ItemAttributes()
    attributes.service = "endured"
    var connection = try access.connect()
    for number in 0..<(count + 9) / 10 {
      if number % 10 == 9 { connection = try access.connect() }
      let _: ItemAdded = try connection.ask(
        AddItem(attributes: attributes, secret: SecretBytes(count: 64)))
      let found: FoundItems = try connection.ask(FindItems(query: query))
      guard found.items.count == 1 else {
        throw Failure(.engineFailed, "\(found.items.count) items were found, not one")
      }
      for _ in 0..<6 { let _: GotItem = try connection.ask(GetItem(query: query)) }
      let _: ItemsChanged = try connection.ask(RemoveItems(query: query, allowsSeveral: false))
      let _: CoreStatus = try connection.request(GetStatus())
    }
  }
}
