import Glibc
import LinuxSystem
import Testing

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
