import Glibc
import Testing

@testable import LinuxSystem

@Suite("What a process is told of itself and others")
struct ProcessTests {
  @Test("a service is privileged, a person's process is not")
  func privilege() {
    #expect(ProcessPrivilege.current(isService: true) == .privileged)
    #expect(ProcessPrivilege.current(isService: false) == .ordinary)
  }

  @Test("the threads of a process are counted from outside")
  func threads() throws {
    let before = try #require(ProcessThreads.count(of: getpid()))
    #expect(before >= 1)
    #expect(ProcessThreads.count(of: Int32.max) == nil)
  }

  @Test("a descriptor counts as open from when it is opened until it is closed")
  func descriptors() throws {
    let pipe = try Pipe(nonBlocking: .reader)
    let writer = pipe.writer
    #expect(OpenDescriptors.numbers().isSuperset(of: [pipe.reader, writer]))
    let reader = pipe.takeReader()
    #expect(OpenDescriptors.numbers().contains(reader.number))
  }
}

@Suite("What a process loads")
struct LoadedCodeTests {
  @Test("files that are mapped to run count, each once; data and memory do not")
  func maps() {
    let text = """
      55d0c000-55d0d000 r--p 00000000 fd:01 131 /usr/bin/mail
      55d0d000-55d0e000 r-xp 00001000 fd:01 131                        /usr/bin/mail
      55d0e000-55d0f000 r-xp 00002000 fd:01 131                        /usr/bin/mail
      7f00a000-7f00b000 r-xp 00000000 1003:abcde 42                    /home/a b/x.so (deleted)
      7f00b000-7f00c000 r-xp 00000000 00:00 0
      7f00c000-7f00d000 r-xp 00000000 00:01 9                          /memfd:jit (deleted)
      7ffd0000-7ffd1000 r-xp 00000000 00:00 0                          [vdso]

      """
    let code = LoadedCode(maps: Array(text.utf8))
    let found = code.mapped.sorted { $0.inode < $1.inode }
    #expect(
      found.map { String(decoding: $0.path, as: UTF8.self) } == ["/home/a b/x.so", "/usr/bin/mail"])
    #expect(found.map(\.isGone) == [true, false])
    #expect(found.map(\.inode) == [42, 131])
    // makedev(3) of 0x1003, 0xabcde and of 0xfd, 1.
    #expect(found.map(\.device) == [0x1000_abc0_03de, 0xfd01])
  }

  @Test("a file system without a device of its own is known by its number")
  func madeUp() {
    #expect(LoadedCode.isMadeUp(device: 0x2b) && LoadedCode.isMadeUp(device: 0x10_002b))
    #expect(!LoadedCode.isMadeUp(device: 0xfd01) && !LoadedCode.isMadeUp(device: 0x1000_0000_0001))
  }
}

@Suite("What the kernel says of a process")
struct ProcessStatusTests {
  private func line(name: String = "cat", device: Int = 34816, foreground: Int = 7) -> [UInt8] {
    Array(
      "9 (\(name)) S 1 7 7 \(device) \(foreground) 4194304 90 0 0 0 0 0 0 0 20 0 1 0 123456 1 1\n"
        .utf8)
  }

  @Test("a terminal's foreground is told from its background, and from none")
  func terminal() throws {
    #expect(
      ProcessStatus(parsing: line())
        == ProcessStatus(
          terminal: .foreground, terminalDevice: 34816, startTime: 123456, parent: 1))
    #expect(ProcessStatus(parsing: line(foreground: 8))?.terminal == .background)
    #expect(
      ProcessStatus(parsing: line(device: 0, foreground: -1))?.terminal
        == ProcessStatus.TerminalUse.none)
  }

  @Test(
    "a program whose name looks like the rest of the line changes nothing",
    arguments: [") S 1 7 7 34816 7", "a b) (c", "", "\u{0}"])
  func names(name: String) {
    #expect(ProcessStatus(parsing: line(name: name, foreground: 8))?.terminal == .background)
  }

  @Test("what is cut off anywhere is no status", arguments: 0..<20)
  func cut(words: Int) {
    let short = line().split(separator: UInt8(ascii: " ")).prefix(words).joined(separator: [32])
    #expect(ProcessStatus(parsing: Array(short)) == nil)
  }

  @Test("who had logged in before it was started is as the kernel says, of a process that is there")
  func login() throws {
    let text = try #require(SmallFile.contents(of: "/proc/self/loginuid"))
    let user = UInt32(String(decoding: text, as: UTF8.self))
    #expect(LoginUser.of(getpid()) == (user == .max ? nil : user))
    #expect(LoginUser.of(0) == nil && LoginUser.of(.max) == nil)
  }

  @Test("this process has one, with a time of its own, and a process that is not there has none")
  func real() throws {
    let own = try #require(ProcessStatus(of: getpid()))
    let parent = try #require(ProcessStatus(of: getppid()))
    #expect(own.startTime >= parent.startTime && parent.startTime > 0)
    #expect(ProcessStatus(of: 0) == nil && ProcessStatus(of: -1) == nil)
    #expect(ProcessStatus(of: Int32.max) == nil)
  }
}
