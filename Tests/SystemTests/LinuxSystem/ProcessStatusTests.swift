import Glibc
import Testing

@testable import LinuxSystem

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
      ProcessStatus(parsing: line()) == ProcessStatus(terminal: .foreground, startTime: 123456))
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
