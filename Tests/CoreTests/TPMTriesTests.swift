import Protocol
import Testing

@testable import AuthCore

@Suite("The tries of the machine's TPM")
struct TPMTriesTests {
  private static let hour = TPMTries.memory
  private static let begin: UInt64 = 5 * hour + 77

  /// Wrong passcodes of a user until there is no further try.
  private func guess(
    _ tries: inout TPMTries, _ user: UInt32, isRoot: Bool = false, at now: UInt64 = begin
  ) -> Int {
    var count = 0
    while count < 100, tries.take(user, isRoot: isRoot, at: now) == nil {
      tries.settle(user, wasCounted: true, at: now)
      count += 1
    }
    return count
  }

  @Test(
    "FINDINGS A7: right passcodes in between give a user no more wrong ones, and others have theirs"
  )
  func twoUsers() {
    var (tries, wrong) = (TPMTries(), 0)
    for _ in 0..<100 {
      for _ in 0..<4 where tries.take(1000, isRoot: false, at: Self.begin) == nil {
        tries.settle(1000, wasCounted: true, at: Self.begin)
        wrong += 1
      }
      if tries.take(1000, isRoot: false, at: Self.begin) == nil {
        tries.settle(1000, wasCounted: false, at: Self.begin)
      }
    }
    #expect(wrong == 9, "of the 32 that lock the TPM")
    for _ in 0..<50 {
      #expect(tries.take(1001, isRoot: false, at: Self.begin) == nil)
      tries.settle(1001, wasCounted: false, at: Self.begin)
    }
    #expect(guess(&tries, 1001) == 6)
  }

  @Test("FINDINGS A7: users who do their worst together leave the reserve to root and to logins")
  func manyUsers() {
    var tries = TPMTries()
    let counts = (1000..<1020).map { guess(&tries, $0) }
    #expect(
      counts.prefix(4) == [9, 6, 4, 3] && counts.reduce(0, +) == TPMTries.most - TPMTries.reserve)
    #expect(tries.take(2000, isRoot: false, at: Self.begin) != nil)
    // Somebody who logs in, whom the others have left nothing.
    #expect(tries.take(2000, isRoot: true, at: Self.begin) == nil)
    tries.settle(2000, wasCounted: false, at: Self.begin)
    #expect(guess(&tries, 1000, isRoot: true) == 0, "who has used their share gets none by sudo")
    #expect(guess(&tries, 0, isRoot: true) == 2)
    let all = (3000..<3040).reduce(0) { $0 + guess(&tries, $1, isRoot: true) }
    #expect(all == 2, "one fewer than lock the TPM")
  }

  @Test("FINDINGS A7: what is judged at the same time counts before it is judged")
  func concurrent() {
    var tries = TPMTries()
    let taken = (0..<50).count { _ in tries.take(1000, isRoot: false, at: Self.begin) == nil }
    #expect(taken == 9)
    #expect(tries.take(1001, isRoot: false, at: Self.begin + Self.hour - 1) == nil)
  }

  @Test("one is forgotten an hour after the last wrong one, as the TPM does, and then one an hour")
  func forgetting() {
    var tries = TPMTries()
    #expect(guess(&tries, 1000) == 9)
    let last = Self.begin + Self.hour / 2
    #expect(tries.take(1001, isRoot: false, at: last) == nil)
    tries.settle(1001, wasCounted: true, at: last)
    #expect(tries.take(1000, isRoot: false, at: Self.begin + Self.hour) == Self.hour / 2)
    #expect(guess(&tries, 1000, at: last + Self.hour) == 1)
    #expect(guess(&tries, 1000, at: last + 2 * Self.hour) == 1)
    #expect(guess(&tries, 1000, at: last + 30 * Self.hour) == 9)
  }
}
