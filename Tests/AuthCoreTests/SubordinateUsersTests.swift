import Glibc
import LinuxSystem
import Testing
import Wire

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
  func garbage(bytes: [UInt8]) {
    #expect(SubordinateUsers.owner(of: 100_000, in: bytes) == nil)
  }

  /// What a user is told; nil: nothing, they are served.
  private func refusal(
    of user: UInt32 = 100_001, keepsState: Bool = false,
    hasAccount: (UInt32) throws(SystemCallError) -> Bool
  ) -> Failure? {
    do throws(Failure) {
      try SubordinateUsers.refuse(
        user, by: Self.file, keepsState: keepsState, hasAccount: hasAccount)
      return nil
    } catch {
      return error
    }
  }

  @Test("a number in another's range is refused without an account, and served with one")
  func account() {
    #expect(refusal { _ in false }?.code == .unsupported)
    #expect(refusal { $0 == 100_001 } == nil)
    #expect(refusal(of: 99_999) { _ in false } == nil, "in no range")
  }

  @Test("who has a keychain here is served, whatever ranges and the user database say")
  func kept() throws {
    #expect(refusal(keepsState: true) { _ in false } == nil)
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

  @Test("the user database knows root, and no number beyond all")
  func database() throws {
    #expect(try UserAccount.exists(0))
    #expect(try !UserAccount.exists(4_294_967_290))
  }
}
