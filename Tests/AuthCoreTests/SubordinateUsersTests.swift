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
    """.utf8)

  @Test(
    "a number is whose range it lies in, first and last included",
    arguments: [
      (99_999, nil), (100_000, "alice"), (165_535, "alice"), (165_536, "bob"), (231_072, nil),
      (300_000, nil), (4_294_967_295, "dave"), (0, nil), (1000, nil),
    ] as [(UInt32, String?)])
  func owner(user: UInt32, expected: String?) {
    #expect(SubordinateUsers.owner(of: user, in: Self.file) == expected)
  }

  @Test("a file that is none says nothing", arguments: [[], [0xff, 0xfe, 0x00], Array("::".utf8)])
  func garbage(bytes: [UInt8]) {
    #expect(SubordinateUsers.owner(of: 100_000, in: bytes) == nil)
  }
}
