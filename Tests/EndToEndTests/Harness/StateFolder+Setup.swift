import Foundation
import Testing

extension StateFolder {
  /// The passcode that ``setUp()`` sets.
  static let passcode = "correct horse"

  /// Sets the passcode and enrols the owner's finger from five touches.
  func setUp() throws {
    let set = try authcore("passcode", "set", passcode: Self.passcode)
    #expect(set.status == 0, "\(set.account)")
    try enroll(Array(Prints.owner.get().prefix(5)))
  }

  /// Enrols a finger.
  func enroll(_ touches: [URL], name: String = "right-index") throws {
    let enrolled = try authcore(
      "--driver", try tape(touches), "finger", "enroll", "--name", name, passcode: Self.passcode)
    #expect(enrolled.status == 0, "\(enrolled.account)")
  }

  /// A tape of one fresh touch of the owner.
  func ownerTouch(_ impression: Int = 6) throws -> String {
    try tape([Prints.owner.get()[impression]])
  }

  /// A tape of `count` touches of somebody else.
  func strangerTouches(_ count: Int) throws -> String {
    try tape((0..<count).map { try Prints.stranger.get()[$0 % 8] })
  }
}
