package import Foundation
import Testing

extension TestHome {
  /// The passcode that ``setUp()`` sets.
  package static let passcode = "correct horse"

  /// Sets the passcode and enrolls the owner's finger from five touches.
  package func setUp() throws {
    let set = try authcore("passcode", "set", passcode: Self.passcode)
    #expect(set.status == 0, "\(set.account)")
    try enroll(Array(Prints.owner.get().prefix(5)))
  }

  /// Enrolls a finger.
  package func enroll(_ touches: [URL], name: String = "right-index") throws {
    let enrolled = try authcore(
      "--driver", try tape(touches), "finger", "enroll", "--name", name, "--yes",
      passcode: Self.passcode)
    #expect(enrolled.status == 0, "\(enrolled.account)")
  }

  /// A tape of one fresh touch of the owner.
  package func ownerTouch(_ impression: Int = 6) throws -> String {
    try tape([Prints.owner.get()[impression]])
  }

  /// A tape of `count` touches of somebody else.
  package func strangerTouches(_ count: Int) throws -> String {
    try tape((0..<count).map { try Prints.stranger.get()[$0 % 8] })
  }
}
