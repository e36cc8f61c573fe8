import LinuxSystem
import Testing

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
