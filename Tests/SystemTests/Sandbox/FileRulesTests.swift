import CSystemCalls
import Glibc
import LinuxSystem
import Protocol
import Sandbox
import Testing

/// What Landlock adds to the filter, which sees the number of a descriptor and never a path: held
/// by the kernel itself, on a thread of its own, with no filter beside it.
@Suite("Rules for files", .enabled(if: FileRules.version > 0, "this kernel has no Landlock"))
struct FileRulesTests {
  /// A folder with a file, a link out of it, and what lies outside.
  private final class Surroundings: Sendable {
    let path: String
    let folder: Descriptor

    init() throws {
      let parent = EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp"
      var template = Array("\(parent)/authcore-rules-XXXXXX".utf8CString)
      try #require(unsafe mkdtemp(&template) != nil)
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      for name in ["/inside", "/outside"] { try #require(unsafe mkdir(path + name, 0o700) == 0) }
      for name in ["/inside/own", "/outside/secret"] {
        let number = unsafe ac_open_at(AT_FDCWD, path + name, O_WRONLY | O_CREAT, 0o600)
        try #require(number >= 0)
        _ = unsafe write(number, "text", 4)
        Glibc.close(number)
      }
      try #require(unsafe symlink("../outside/secret", path + "/inside/link") == 0)
      let number = unsafe ac_open_at(AT_FDCWD, path + "/inside", O_RDONLY | O_DIRECTORY, 0)
      try #require(number >= 0)
      folder = Descriptor(owning: number)
    }

    /// The error of opening a name below the folder; 0: none.
    func opening(_ name: String, _ flags: Int32) -> Int32 {
      let number = unsafe ac_open_at(folder.number, name, flags, 0o600)
      guard number >= 0 else { return errno }
      Glibc.close(number)
      return 0
    }

    func remove() {
      for name in [
        "/inside/link", "/inside/own", "/inside/new", "/inside/moved", "/outside/secret",
        "/outside/new", "/outside/moved", "/inside", "/outside", "",
      ] {
        _ = unsafe Glibc.remove(path + name)
      }
    }
  }

  /// Runs `attempt` on a thread that is held to the rules, and gives what it gave.
  private static func confined<Value: Sendable>(
    to rules: FileRules, _ attempt: @escaping @Sendable () -> Value
  ) -> Value? {
    let result = Guarded<Value??>(nil)
    SystemThread.start(name: "confined") {
      _ = ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
      let isHeld = (try? rules.enforce()) == FileRules.version
      let value = isHeld ? attempt() : nil
      result.update { $0 = .some(value) }
    }
    return result.wait { $0 }
  }

  @Test(
    "names below a descriptor that lead out of its folder are refused, and the folder's own not")
  func names() throws {
    let here = try Surroundings()
    defer { here.remove() }
    var rules = FileRules()
    rules.allow(.readAndWrite, below: here.path + "/inside")
    let attempts: [(String, Int32, Int32)] = [
      ("own", O_RDWR, 0), ("new", O_WRONLY | O_CREAT, 0), ("../inside/own", O_RDONLY, 0),
      ("../outside/secret", O_RDONLY, EACCES), ("../outside/secret", O_WRONLY, EACCES),
      ("../outside/new", O_WRONLY | O_CREAT, EACCES), ("link", O_RDONLY, EACCES),
      ("link", O_WRONLY | O_TRUNC, EACCES), (here.path + "/outside/secret", O_RDONLY, EACCES),
      ("/etc/passwd", O_RDONLY, EACCES), ("/proc/self/mem", O_RDWR, EACCES),
      ("/dev/null", O_RDONLY, EACCES), ("..", O_RDONLY | O_DIRECTORY, EACCES),
    ]
    for (name, flags, _) in attempts where !flags.has(O_CREAT) {
      #expect(here.opening(name, flags & ~O_TRUNC) == 0, "\(name) is there without rules")
    }
    let errors = Self.confined(to: rules) { attempts.map { here.opening($0.0, $0.1) } }
    for ((name, flags, expected), error) in zip(attempts, try #require(errors)) {
      #expect(error == expected, "\(name) with \(flags)")
    }
  }

  @Test("files are neither moved nor linked nor removed across the edge of the folder")
  func edges() throws {
    let here = try Surroundings()
    defer { here.remove() }
    var rules = FileRules()
    rules.allow(.readAndWrite, below: here.path + "/inside")
    let (inside, outside) = (here.path + "/inside", here.path + "/outside")
    let results = Self.confined(to: rules) {
      unsafe [
        rename(inside + "/own", outside + "/moved"), rename(outside + "/secret", inside + "/moved"),
        link(outside + "/secret", inside + "/moved"), link(inside + "/own", outside + "/moved"),
        unlink(outside + "/secret"), rename(inside + "/own", inside + "/moved"),
      ]
    }
    #expect(results == [-1, -1, -1, -1, -1, 0])
  }

  @Test(
    "a file that may be read cannot be emptied from Landlock 3 on; before, the filter sees to it")
  func emptying() throws {
    let here = try Surroundings()
    defer { here.remove() }
    var rules = FileRules()
    rules.allow(.read, below: here.path)
    let results = Self.confined(to: rules) {
      [
        here.opening("own", O_RDONLY), here.opening("own", O_WRONLY),
        here.opening("own", O_RDONLY | O_TRUNC),
        unsafe truncate(here.path + "/inside/own", 0) == 0 ? 0 : errno,
      ]
    }
    let emptying: Int32 = FileRules.version >= 3 ? EACCES : 0
    #expect(results == [0, EACCES, emptying, emptying])
  }

  @Test("of two sets of rules both hold")
  func twice() throws {
    let here = try Surroundings()
    defer { here.remove() }
    var rules = FileRules()
    rules.allow(.readAndWrite, below: here.path)
    let narrower = rules
    let errors = Self.confined(to: narrower) {
      _ = try? FileRules().enforce()
      return [here.opening("own", O_RDONLY), here.opening("link", O_RDONLY)]
    }
    #expect(errors == [EACCES, EACCES])
  }
}

extension Int32 {
  fileprivate func has(_ flag: Int32) -> Bool { self & flag != 0 }
}
