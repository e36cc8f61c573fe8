import Glibc
import LinuxSystem
import Testing

@Suite("Memory of a process that waits")
struct IdleMemoryTests {
  @Test("what its programs are made of is given back, and is there again when it goes on")
  func givenBack() async {
    await #expect(processExitsWith: .success) {
      let before = residentKiB(of: "libswiftCore.so")
      IdleMemory.giveBack()
      let after = residentKiB(of: "libswiftCore.so")
      // The next function of the library comes from its file again.
      let words = "given back, and taken again".split(separator: " ").sorted()
      exit(
        before > 500 && after < before / 2 && words.first == "again" ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("it is given back once after five seconds without work, and no earlier")
  func patience() {
    let second: UInt64 = 1_000_000_000
    var idle = IdleMemory(at: 100 * second)
    #expect(idle.limit(at: 102 * second) == 3000)
    #expect(idle.limit(1000, at: 102 * second) == 1000)
    let tooEarly = idle.timePassed(at: 104 * second)
    idle.wasUsed(at: 104 * second)
    let atOnce = idle.timePassed(at: 106 * second)
    #expect(!tooEarly && !atOnce && idle.limit(at: 106 * second) == 3000)
    let late = idle.timePassed(at: 109 * second)
    let again = idle.timePassed(at: 200 * second)
    #expect(late && !again)
    #expect(idle.limit(at: 200 * second) == -1 && idle.limit(60, at: 200 * second) == 60)
    idle.wasUsed(at: 200 * second)
    #expect(idle.limit(at: 200 * second) == -1, "one look in minutes is no work")
    idle.wasUsed(at: 229 * second)
    #expect(idle.limit(at: 229 * second) == 5000)
  }
}

/// The mapped text of a library, by smaps(5), in KiB; -1 if it is not loaded.
private func residentKiB(of library: String) -> Int {
  let regions = SmallFile.contents(of: "/proc/self/smaps", limit: 16 << 20) ?? []
  var isInside = false
  for line in String(decoding: regions, as: UTF8.self).split(separator: "\n") {
    let words = line.split(separator: " ")
    if words.count == 6 { isInside = words[1] == "r-xp" && words[5].hasSuffix("/" + library) }
    if isInside, words.first == "Rss:" { return Int(words[1]) ?? -1 }
  }
  return -1
}
