import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Whose request runs next")
struct TurnTests {
  private func order(_ change: (inout TurnOrder.Limits) -> Void = { _ in }) -> TurnOrder {
    var limits = TurnOrder.Limits()
    change(&limits)
    return TurnOrder(limits)
  }

  private func owner(_ user: UInt32, _ process: Int32) -> TurnOrder.Owner {
    TurnOrder.Owner(user: user, process: process)
  }

  /// Ends each request as soon as it has begun.
  private func sequence(_ order: inout TurnOrder) -> [UInt64] {
    var sequence: [UInt64] = []
    while let next = order.next(at: 0) {
      sequence.append(next)
      order.end(next, at: 0)
    }
    return sequence
  }

  @Test("requests of one process run in the order they came")
  func oneProcess() {
    var order = order()
    for request in 1...5 as ClosedRange<UInt64> { order.add(request, of: owner(1, 1)) }
    #expect(sequence(&order) == [1, 2, 3, 4, 5])
    #expect(order.waiting == 0)
  }

  @Test("who asks a hundred times has every other turn beside who asks once more and once more")
  func processes() {
    var order = order()
    for request in 1...100 as ClosedRange<UInt64> { order.add(request, of: owner(1, 1)) }
    for request in 201...203 as ClosedRange<UInt64> { order.add(request, of: owner(1, 2)) }
    #expect(Array(sequence(&order).prefix(7)) == [1, 201, 2, 202, 3, 203, 4])
  }

  @Test("a user with fifty processes has as many turns as a user with one")
  func users() {
    var order = order()
    for process in 1...50 as ClosedRange<Int32> {
      order.add(UInt64(process), of: owner(1, process))
    }
    for request in 101...110 as ClosedRange<UInt64> { order.add(request, of: owner(2, 77)) }
    let first = sequence(&order).prefix(20)
    #expect(first.count { $0 > 100 } == 10)
  }

  @Test("one user has so many places, all have so many, and who ends lets the next one run")
  func places() {
    var order = order { limits in
      limits.places = 3
      limits.placesOfUser = 2
    }
    for request in 1...4 as ClosedRange<UInt64> { order.add(request, of: owner(1, 1)) }
    for request in 11...13 as ClosedRange<UInt64> { order.add(request, of: owner(2, 2)) }
    let begun = (0..<4).map { _ in order.next(at: 0) }
    #expect(begun == [1, 11, 2, nil])
    order.end(1, at: 0)
    #expect(order.next(at: 0) == 12, "both have one, and the first user had the last turn")
    order.end(11, at: 0)
    order.end(12, at: 0)
    let more = (0..<3).map { _ in order.next(at: 0) }
    #expect(more == [13, 3, nil])
  }

  @Test("FINDINGS A3: users whose requests hang in every place keep no other waiting for long")
  func everyPlaceHangs() {
    var order = order { limits in
      limits.places = 2
      limits.attendingOfUser = 0
      limits.stallNanoseconds = 10
      limits.placeNanoseconds = 1000
    }
    for user in 1...2 as ClosedRange<UInt32> { order.add(UInt64(user), of: owner(user, 1)) }
    #expect(order.next(at: 100) == 1 && order.next(at: 105) == 2)
    for user in 1...2 as ClosedRange<UInt32> { order.add(10 + UInt64(user), of: owner(user, 1)) }
    #expect(order.isTiredAt == 1100, "both have a place")
    order.add(1000, of: owner(11, 1))
    order.add(1001, of: owner(11, 1))
    #expect(order.next(at: 114) == nil && order.isTiredAt == 115)
    #expect(order.next(at: 115) == 1000)
    #expect(order.next(at: 1000) == nil, "one beside the places, and no more")
  }

  @Test("FINDINGS A3: while requests end, no more run at a time than there are places")
  func everyPlaceIsBusy() {
    var order = order { limits in
      limits.places = 2
      limits.stallNanoseconds = 10
    }
    for user in 1...20 as ClosedRange<UInt32> { order.add(UInt64(user), of: owner(user, 1)) }
    #expect(order.next(at: 0) == 1 && order.next(at: 0) == 2)
    for now in stride(from: 9, to: 90, by: 9) as StrideTo<UInt64> {
      order.end(now / 9, at: now)
      #expect(order.next(at: now) == now / 9 + 2)
      #expect(order.next(at: now + 8) == nil)
    }
  }

  @Test("who waits for a person gives the place to the next one, up to the bounds")
  func attending() {
    var order = order { limits in
      limits.placesOfUser = 1
      limits.attendingOfProcess = 1
      limits.attendingOfUser = 2
    }
    for request in 1...3 as ClosedRange<UInt64> { order.add(request, of: owner(1, 1)) }
    for request in 4...5 as ClosedRange<UInt64> { order.add(request, of: owner(1, 2)) }
    order.add(6, of: owner(1, 3))
    func attend() -> TurnOrder.Attendance? { order.next(at: 0).map { order.attend($0, at: 0) } }
    #expect(attend() == .granted)
    #expect(attend() == .granted)
    #expect(attend() == .tooManyOfUser, "1 and 4 wait, and 6 is the third")
    #expect(order.next(at: 0) == nil, "6 keeps its place")
    order.end(6, at: 0)
    order.end(4, at: 0)
    #expect(attend() == .tooManyOfProcess, "1 waits, and 2 is of the same process")
    #expect(order.attend(1, at: 0) == .granted, "1 has given its place up before")
  }

  @Test("while many wait for a person, a user of whom nobody waits may still be asked")
  func reserve() {
    var order = order { limits in
      limits.attending = 3
      limits.reserve = 2
      limits.few = 1
    }
    let requests: [(UInt64, UInt32)] = [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4)]
    var attendances: [TurnOrder.Attendance] = []
    for (request, user) in requests {
      order.add(request, of: owner(user, Int32(user)))
      #expect(order.next(at: 0) == request)
      attendances.append(order.attend(request, at: 0))
    }
    #expect(attendances == [.granted, .tooMany, .granted, .granted, .tooMany])
  }

  @Test("a request that takes long loses its place only while others wait, and not before its time")
  func patience() {
    var order = order { limits in
      limits.placesOfUser = 1
      limits.placeNanoseconds = 10
    }
    order.add(1, of: owner(1, 1))
    #expect(order.next(at: 100) == 1)
    #expect(order.isTiredAt == nil)
    order.add(2, of: owner(1, 1))
    #expect(order.next(at: 105) == nil && order.isTiredAt == 110)
    order.tire(at: 109)
    #expect(order.next(at: 109) == nil)
    order.tire(at: 110)
    #expect(order.next(at: 110) == 2 && order.isTiredAt == nil)
  }

  @Test("where no more may take long, those that do keep their places and are looked at again")
  func hanging() {
    var order = order { limits in
      limits.placesOfUser = 1
      limits.attendingOfProcess = 0
      limits.placeNanoseconds = 10
    }
    order.add(1, of: owner(1, 1))
    order.add(2, of: owner(1, 1))
    #expect(order.next(at: 100) == 1)
    order.tire(at: 110)
    #expect(order.next(at: 110) == nil && order.isTiredAt == 120)
    order.end(1, at: 0)
    #expect(order.next(at: 111) == 2)
  }

  @Test("a kind of request that something else bounds is counted nowhere")
  func leaving() {
    var order = order { limits in
      limits.placesOfUser = 1
      limits.attendingOfUser = 0
    }
    order.add(1, of: owner(1, 1))
    order.add(2, of: owner(1, 1))
    #expect(order.next(at: 0) == 1)
    order.leave(1, at: 0)
    #expect(order.next(at: 0) == 2)
    order.end(1, at: 0)
    order.end(2, at: 0)
    #expect(order.isTiredAt == nil && order.waiting == 0)
  }

  // MARK: Threads

  @Test("requests run at the same time on threads that are used again, and all of them end")
  func threads() throws {
    let server = try ConnectionServer(TurnOrder.Limits())
    let done = Guarded(0)
    for request in 0..<1000 {
      let owner = owner(UInt32(request % 3), Int32(request % 7))
      server.turns.add(owner) { _ in done.update { $0 += 1 } }
    }
    done.wait { $0 == 1000 ? () : nil }
  }

  @Test("requests that take long hold up nobody for more than a moment")
  func longRequests() throws {
    var limits = TurnOrder.Limits()
    limits.placeNanoseconds = 1_000_000
    let server = try ConnectionServer(limits)
    let (gate, done) = (Guarded(false), Guarded(0))
    for _ in 0..<20 {
      server.turns.add(owner(1, 1)) { _ in gate.wait { $0 ? () : nil } }
    }
    server.turns.add(owner(1, 1)) { _ in done.update { $0 += 1 } }
    done.wait { $0 == 1 ? () : nil }
    gate.update { $0 = true }
  }

  @Test("who gives up a place lets the next one run at once, and too many are told so")
  func attendingThreads() throws {
    var limits = TurnOrder.Limits()
    limits.placesOfUser = 1
    limits.attendingOfProcess = 3
    limits.placeNanoseconds = 3_600_000_000_000
    let server = try ConnectionServer(limits)
    let (gate, codes) = (Guarded(false), Guarded([FailureCode?]()))
    for _ in 0..<5 {
      server.turns.add(owner(1, 1)) { turn in
        do throws(Failure) {
          try turn.attend()
          codes.update { $0.append(nil) }
          gate.wait { $0 ? () : nil }
        } catch {
          codes.update { $0.append(error.code) }
        }
      }
    }
    codes.wait { $0.count == 5 ? () : nil }
    let told = codes.read { $0 }
    #expect(told.count { $0 == nil } == 3 && told.count { $0 == .busy } == 2)
    gate.update { $0 = true }
  }
}
