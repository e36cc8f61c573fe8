import Glibc
import LinuxSystem
import Testing

@testable import SSHAgent

@Suite("SSH agent: who has a place")
struct ClientSeatsTests {
  /// A connection that has a seat.
  private final class Client {
    let pair: SocketPair
    let seat: ClientSeats.Seat

    init?(_ seats: ClientSeats, of process: Int32) throws {
      let pair = try SocketPair()
      guard let seat = seats.take(pair.near.number, of: process) else { return nil }
      self.pair = pair
      self.seat = seat
    }

    /// What the client's program sees when it gave way.
    var isClosed: Bool {
      var byte: UInt8 = 0
      return unsafe recv(pair.far.number, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    /// Sends a byte, which nobody reads.
    func send() {
      var byte: UInt8 = 0
      #expect(unsafe write(pair.far.number, &byte, 1) == 1)
    }
  }

  private let time = Guarded<UInt64>(1_000_000_000)

  private var seats: ClientSeats {
    ClientSeats { [time] in
      time.update { now in
        now += 1
        return now
      }
    }
  }

  /// Nine processes with 64 connections each, as far as they get seats.
  private func crowd(_ seats: ClientSeats, _ change: (Client) -> Void = { _ in }) throws -> [Client]
  {
    try (1...9 as ClosedRange<Int32>).flatMap { process in
      try (0..<64).compactMap { _ in
        let client = try Client(seats, of: process)
        if let client { change(client) }
        return client
      }
    }
  }

  @Test("FINDINGS A11: nine processes with 64 idle connections each keep no tenth out")
  func idle() throws {
    let seats = seats
    let crowd = try crowd(seats)
    #expect(crowd.count == 576 && crowd.count { !$0.isClosed } == 512)
    let newcomer = try #require(try Client(seats, of: 10))
    #expect(newcomer.seat.begin() && !newcomer.isClosed)
    // The longest idle one of a process with the most.
    let left = (0..<9).map { process in
      crowd[process * 64..<process * 64 + 64].count { !$0.isClosed }
    }
    #expect(left.reduce(0, +) == 511 && left.allSatisfy { 56...57 ~= $0 }, "\(left)")
    for process in 0..<9 {
      let own = crowd[process * 64..<process * 64 + 64].map(\.isClosed)
      #expect(own == own.sorted { $0 && !$1 }, "of one process the oldest go first")
    }
    withExtendedLifetime(newcomer) {}
  }

  @Test("FINDINGS A11: a request under way, also one that nobody has read yet, keeps its place")
  func busy() throws {
    let seats = seats
    let crowd = try crowd(seats) { client in
      if client.seat.begin() { client.seat.wait() }
      client.send()
    }
    // The ninth process has the first of 64 places in reserve, for processes that have none.
    #expect(crowd.count == 513)
    for client in crowd[..<256] { #expect(client.seat.begin()) }
    let others = try (10..<200 as Range<Int32>).compactMap { try Client(seats, of: $0) }
    #expect(others.count == 63 && !crowd.contains(where: \.isClosed))
  }

  @Test("FINDINGS A11: an answer that its client does not read keeps no place")
  func unread() throws {
    let seats = seats
    let crowd = try crowd(seats) { client in
      client.send()
      _ = client.seat.begin()
    }
    for client in crowd { client.seat.answer() }
    let newcomer = try #require(try Client(seats, of: 10))
    #expect(newcomer.seat.begin())
    #expect(crowd.count { $0.isClosed } == 1 && crowd.count { !$0.seat.begin() } == 1)
  }
}
