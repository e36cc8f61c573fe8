import AuthcoreABI
import Testing

/// The drivers as built, against a simulated chip with a fault at each of its calls in turn.
@Suite("X3: drivers of chips survive what goes wrong, wherever it does")
struct ChipFaultTests {
  private static let mine = ChipReader.name(1)

  /// What a whole session came to.
  private struct Session {
    var statuses: [Int] = []
    /// What identify said; nil: it failed.
    var match: [UInt8]??
    var listed: [[UInt8]]?
    /// The longest call, in milliseconds of the host's clock.
    var longest: UInt64 = 0
  }

  /// Opens, enrolls, identifies, lists, removes, and lists once more, whatever fails.
  private func session(_ reader: ChipReader, _ fault: String) throws -> Session {
    let text = [reader.settings, fault].filter { !$0.isEmpty }.joined(separator: ",")
    return try TestHost.run { host in
      let device = try LoadedTransport.simulated(model: reader.driver, text)
      defer { withExtendedLifetime(device) {} }
      var session = Session()
      func step<R>(_ body: () throws -> R) -> R? {
        let start = host.clock.now
        defer { session.longest = max(session.longest, (host.clock.now - start) / 1_000_000) }
        do {
          let result = try body()
          session.statuses.append(AC_OK)
          return result
        } catch {
          session.statuses.append((error as? LoadedDriver.Failure)?.status ?? -1)
          return nil
        }
      }
      guard
        let chip = step({ try LoadedDriver.built(reader.driver).open().chip() })
      else { return session }
      if step({ try chip.enroll(Self.mine) }) != nil {
        for _ in 0..<reader.touches + 2 where step({ try chip.touch() }) == 100 { break }
        _ = step { try chip.commit() }
      }
      session.match = step { try chip.identify(reader.filters ? [Self.mine] : []) }
      session.listed = step { try chip.list() }
      _ = step { try chip.remove(Self.mine) }
      return session
    }
  }

  /// At how many calls a session can be hit.
  private func calls(_ reader: ChipReader) throws -> Int {
    var last = 0
    for call in stride(from: 20, through: 400, by: 20) {
      if try session(reader, "fault=gone@\(call)").statuses.contains(AC_ERR_GONE) { last = call }
    }
    return last + 20
  }

  @Test("unplugged at any call, it says so, and says so again", arguments: ChipReader.all)
  func gone(reader: ChipReader) throws {
    for call in 1..<(try calls(reader)) - 20 {
      let session = try session(reader, "fault=gone@\(call)")
      let gone = try #require(session.statuses.firstIndex(of: AC_ERR_GONE), "call \(call)")
      let allowed = [AC_ERR_GONE, AC_ERR_STATE]
      #expect(session.statuses[gone...].allSatisfy(allowed.contains), "call \(call)")
      #expect(session.longest < 10_000, "call \(call)")
    }
  }

  @Test(
    "E4: a fault at any call makes no match of another template, and no template of another name",
    arguments: ChipReader.all, ["stall", "short", "garbage", "silent"])
  func spoiled(reader: ChipReader, fault: String) throws {
    var hits = 0
    for call in 1..<(try calls(reader)) {
      let session = try session(reader, "fault=\(fault)@\(call)")
      if session.statuses.contains(where: { $0 != AC_OK }) { hits += 1 }
      // A garbled name may be listed; it is none that opens anything, because it was never given.
      if case .some(.some(let name)) = session.match, fault != "garbage" {
        #expect(name == Self.mine, "call \(call)")
      }
      #expect(session.longest < 15_000, "call \(call): \(session.statuses)")
    }
    #expect(hits > 10)
  }
}
