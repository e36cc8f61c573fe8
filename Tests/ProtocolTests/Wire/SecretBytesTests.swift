import Glibc
import LinuxSystem
import SyntheticPrints
import Testing

@testable import Protocol

@Suite("Secret bytes")
struct SecretBytesTests {
  @Test("a secret holds what it was given and compares in constant time")
  func contents() {
    let secret = SecretBytes(copying: [1, 2, 3].span)
    #expect(secret.count == 3)
    let matches = [[1, 2, 3], [1, 2, 4], [1, 2]].map { holds(secret, $0) }
    #expect(matches == [true, false, false])
    var filled = SecretBytes(count: 4)
    let isZero = holds(filled, [0, 0, 0, 0])
    let pair: [UInt8] = [8, 9]
    filled.copy(pair.span, at: 2)
    let isCopied = holds(filled, [0, 0, 8, 9])
    #expect(isZero && isCopied)
  }

  @Test("K9: the memory of a secret that died is zero when it is taken again")
  func wiped() throws {
    let pattern = [UInt8](repeating: 0xa5, count: 4000)
    // The same block is used again, so that remains of a dead secret would show.
    for _ in 0..<100 {
      do {
        let secret = SecretBytes(copying: pattern.span)
        #expect(secret.count == 4000)
      }
      let next = SecretBytes(count: 4000)
      var isZero = true
      for index in 0..<next.count where next.bytes[index] != 0 { isZero = false }
      #expect(isZero)
    }
  }

  @Test("K9: a secret beyond the arena's blocks has pages of its own and works the same")
  func large() {
    var secret = SecretBytes(count: 300_000)
    unsafe secret.withUnsafeMutableBytes { unsafe $0[299_999] = 9 }
    let copy = secret.duplicate()
    let isSame = copy.isEqual(to: secret.bytes)
    #expect(isSame)
    let last = copy.bytes[299_999]
    #expect(last == 9)
  }

  @Test("the arena gives out every byte again, in whatever order secrets die")
  func reuse() {
    var random = RandomNumbers(seed: 7)
    for _ in 0..<20 {
      var held = HeldSecrets()
      for _ in 0..<200 {
        held.add(count: Int(random.next() % 5000), fill: UInt8(truncatingIfNeeded: random.next()))
        if random.next() % 3 == 0 { held.dropOne(random.next()) }
      }
      #expect(held.areIntact)
    }
  }

  @Test("a secret has no textual form")
  func unprintable() {
    let box = Boxed(SecretBytes(copying: Array("hunter2".utf8).span))
    #expect(!"\(box)".contains("hunter2"))
    var dumped = ""
    dump(box, to: &dumped)
    #expect(!dumped.contains("hunter2"))
  }

  @Test("with 8 MiB of lockable memory, an ordinary user's limit, the arena is locked")
  func lockedWithinTheLimit() async {
    await #expect(processExitsWith: .success) {
      becomeOrdinary()
      limitLockedMemory(8 << 20)
      let secret = SecretBytes(copying: [1, 2, 3].span)
      exit(SecretArena.isLocked && secret.count == 3 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test(
    "K9: a page of the arena is locked as soon as a secret lies in it, and takes no memory before",
    .disabled(if: isAddressSanitized, "the address sanitizer replaces mlock(2)"))
  func lockedWithUse() async {
    await #expect(processExitsWith: .success) {
      becomeOrdinary()
      limitLockedMemory(8 << 20)
      let secret = SecretBytes(copying: [1, 2, 3].span)
      let few = arenaMemory(around: secret)
      let more = SecretBytes(copying: [UInt8](repeating: 1, count: 64 << 10).span)
      let many = arenaMemory(around: secret)
      let isRight =
        few.resident == few.locked && (4...8).contains(few.locked)
        && many.resident == many.locked && (68...76).contains(many.locked)
      exit(isRight && more.count == 64 << 10 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test(
    "ATTACKS 10: a secret for which the arena is full is locked on its own, or it is said that it is not",
    .disabled(if: isAddressSanitized, "the address sanitizer replaces mlock(2)"),
    arguments: [(room: UInt(1 << 20), spills: true), (room: UInt(2 << 20), spills: false)])
  func fullArena(room: UInt, spills: Bool) async {
    await #expect(processExitsWith: .success) { [room, spills] in
      becomeOrdinary()
      limitLockedMemory(room)
      var held = HeldSecrets()
      for _ in 0..<8 { held.add(count: SecretArena.largestBlock, fill: 7) }
      let isEarly = SecretArena.hasSpilled
      held.add(count: 4000, fill: 8)
      let isRight = SecretArena.isLocked && !isEarly && SecretArena.hasSpilled == spills
      exit(isRight && held.areIntact ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test(
    "without any lockable memory secrets still work and the arena says that it is not locked",
    .disabled(if: isAddressSanitized, "the address sanitizer replaces mlock(2)"))
  func unlockedWithoutLimit() async {
    await #expect(processExitsWith: .success) {
      becomeOrdinary()
      limitLockedMemory(0)
      let secret = SecretBytes(copying: [1, 2, 3].span)
      exit(
        !SecretArena.isLocked && secret.isEqual(to: [1, 2, 3].span) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("a part of a secret is what lay there, wherever it lies, and the rest is gone with it")
  func parts() {
    for count in [8, 1000, 3000, 200_000] {
      for part in [0..<count, 0..<count - 3, 5..<count, 2..<4, count..<count] {
        var secret = SecretBytes(count: count)
        unsafe secret.withUnsafeMutableBytes { bytes in
          for index in 0..<count { unsafe bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
        }
        let expected = part.map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let extracted = secret.extracting(part)
        let isSame = holds(extracted, expected)
        #expect(isSame, "\(part) of \(count)")
        let half = extracted.extracting(0..<part.count / 2)
        let isHalf = holds(half, Array(expected.prefix(part.count / 2)))
        #expect(isHalf, "half of \(part) of \(count)")
      }
    }
  }
}

/// A value of smaps(5) about the region of a secret, in KiB.
private func arenaMemory(around secret: borrowing SecretBytes) -> (resident: Int, locked: Int) {
  let address = unsafe secret.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  let regions = SmallFile.contents(of: "/proc/self/smaps", limit: 16 << 20) ?? []
  var isInside = false
  var memory = (resident: -1, locked: -1)
  for line in String(decoding: regions, as: UTF8.self).split(separator: "\n") {
    let words = line.split(separator: " ")
    let bounds = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    if bounds.count == 2 { isInside = (bounds[0]..<bounds[1]).contains(address) }
    guard isInside, words.count > 1, let size = Int(words[1]) else { continue }
    if words[0] == "Rss:" { memory.resident = size }
    if words[0] == "Locked:" { memory.locked = size }
  }
  return memory
}

/// `make sanitize` says so.
private var isAddressSanitized: Bool { unsafe getenv("AUTHCORE_SANITIZE") != nil }

/// Root may lock memory without limit; the tests are about other users.
private func becomeOrdinary() {
  if geteuid() == 0 { precondition(setuid(65534) == 0) }
}

/// `RLIMIT_MEMLOCK` of getrlimit(2); an enumeration in glibc that Swift does not import.
private let memoryLockLimit = __rlimit_resource_t(8)

private func limitLockedMemory(_ bytes: UInt) {
  var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
  precondition(unsafe setrlimit(memoryLockLimit, &limit) == 0)
}

private final class Boxed {
  let secret: SecretBytes
  init(_ secret: consuming SecretBytes) { self.secret = secret }
}

/// Secrets that are each filled with one value.
private struct HeldSecrets {
  private var secrets: [Boxed] = []

  mutating func add(count: Int, fill: UInt8) {
    secrets.append(Boxed(SecretBytes(copying: [UInt8](repeating: fill, count: count).span)))
  }

  mutating func dropOne(_ choice: UInt64) {
    guard !secrets.isEmpty else { return }
    secrets.remove(at: Int(choice % UInt64(secrets.count)))
  }

  var areIntact: Bool {
    secrets.allSatisfy { isUniform($0.secret) }
  }
}

/// The test macros cannot take non-copyable values.
func holds(_ secret: borrowing SecretBytes, _ bytes: [UInt8]) -> Bool {
  secret.isEqual(to: bytes.span)
}

private func isUniform(_ secret: borrowing SecretBytes) -> Bool {
  let bytes = secret.bytes
  for index in 0..<bytes.count {
    guard bytes[index] == bytes[0] else { return false }
  }
  return true
}
