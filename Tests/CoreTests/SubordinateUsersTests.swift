import Glibc
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("Users that are other users' to give")
struct SubordinateUsersTests {
  private static let file = Array(
    """
    alice:100000:65536
    bob:165536:65536
    # no comment is known here, and this is no range
    carol:x:5
    dave:4294967290:99
    eve:300000:0
    1000:1000:1
    2000:2000:1
    lxd:2000:1
    """.utf8)

  @Test(
    "a number is whose range it lies in, first and last included, and no number is its own to give",
    arguments: [
      (99_999, nil), (100_000, "alice"), (165_535, "alice"), (165_536, "bob"), (231_072, nil),
      (300_000, nil), (4_294_967_295, "dave"), (0, nil), (1000, nil), (2000, "lxd"),
    ] as [(UInt32, String?)])
  func owner(user: UInt32, expected: String?) {
    #expect(SubordinateUsers.owner(of: user, in: Self.file) == expected)
  }

  @Test("a file that is none says nothing", arguments: [[], [0xff, 0xfe, 0x00], Array("::".utf8)])
  func garbage(bytes: [UInt8]) { #expect(SubordinateUsers.owner(of: 100_000, in: bytes) == nil) }

  /// What a user is told; nil: nothing, they are served.
  private func refusal(
    of user: UInt32 = 100_001, keepsState: Bool = false,
    account: (UInt32) throws(SystemCallError) -> String?
  ) -> Failure? {
    do throws(Failure) {
      try SubordinateUsers.refuse(user, by: Self.file, keepsState: keepsState, account: account)
      return nil
    } catch {
      return error
    }
  }

  @Test("a number in another's range is refused without an account, and served with one")
  func account() {
    #expect(refusal { _ in nil }?.code == .unsupported)
    #expect(refusal { $0 == 100_001 ? "carol" : nil } == nil)
    #expect(refusal { _ in "vu-web-1" }?.code == .unsupported, "of a container's")
    #expect(refusal(of: 99_999) { _ in nil } == nil, "in no range")
  }

  @Test("who has a keychain here is served, whatever ranges and the user database say")
  func kept() throws {
    #expect(refusal(keepsState: true) { _ in nil } == nil)
    try withTemporaryFolder { folder in
      for (name, file, expected) in [
        ("", "core.lock", false), ("enclave", ".lock", false), ("enclave", "keybag", true),
        ("keychain", "keychain.sqlite", true), ("adopted", "x", true),
      ] {
        let state = "\(folder)/\(file)-\(name)"
        _ = unsafe mkdir(state, 0o700)
        _ = unsafe mkdir("\(state)/\(name)", 0o700)
        close(unsafe open("\(state)/\(name)/\(file)", O_WRONLY | O_CREAT, 0o600))
        #expect(StateAdoption.isAnyState(in: state) == expected, "\(name)/\(file)")
      }
    }
  }

  @Test("a user database that does not answer makes nobody a subordinate user: they try again")
  func silentDatabase() {
    let refusal = refusal { _ throws(SystemCallError) in
      throw SystemCallError("getpwuid_r", number: EIO)
    }
    #expect(refusal?.code == .busy)
    #expect(refusal?.message.contains("Input/output error") == true)
    #expect(refusal?.hint?.contains("getent passwd 100001") == true)
  }

  @Test("a user database that is silent holds up few who are in one range, and nobody else")
  func slowDatabase() {
    let isAnswering = Guarded(false)
    let waiting = Guarded(0)
    let answers = Guarded<[FailureCode?]>([])
    for number in 0..<4 as Range<UInt32> {
      SystemThread.start(name: "lookup") { [self] in
        let failure = refusal(of: 165_540 + number) { (_: UInt32) -> String? in
          waiting.update { $0 += 1 }
          isAnswering.wait { $0 ? () : nil }
          return nil
        }
        answers.update { $0.append(failure?.code) }
      }
    }
    waiting.wait { $0 == 4 ? () : nil }
    #expect(refusal(of: 165_550) { _ in "dora" }?.code == .busy, "one of the same range")
    #expect(refusal(of: 100_001) { _ in "carol" } == nil, "one of another")
    #expect(refusal(of: 99_999) { _ in nil } == nil, "one of none")
    isAnswering.update { $0 = true }
    answers.wait { $0.count == 4 ? () : nil }
    #expect(answers.read { $0 } == Array(repeating: .unsupported, count: 4))
    #expect(refusal(of: 165_550) { _ in "dora" } == nil, "all of them were answered")
  }

  @Test("the user database knows root, and no number beyond all")
  func database() throws {
    #expect(try UserAccount.name(of: 0) == "root")
    // Where a directory cannot be asked it is not known.
    do throws(SystemCallError) {
      #expect(try UserAccount.name(of: 4_294_967_290) == nil)
    } catch {
      #expect(error.call == "getpwuid_r")
    }
  }
}
