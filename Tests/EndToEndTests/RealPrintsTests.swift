import Foundation
import TestSupport
import Testing

@Suite(
  "Real prints, through the command", .timeLimit(.minutes(15)),
  .enabled(if: Products.shared != nil, "no ../shared/prints here: set AUTHCORE_SHARED"))
struct RealPrintsTests {
  @Test("E2: three fingers of FVC2002 DB1_B are enrolled and told apart")
  func toldApart() throws {
    let folder = try #require(Products.shared).appendingPathComponent("prints/fvc2002/DB1_B")
    func print(_ finger: Int, _ impression: Int) -> URL {
      folder.appendingPathComponent("\(finger)_\(impression).pgm")
    }
    let state = try TestHome()
    #expect(try state.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
    try state.enroll((1...5).map { print(101, $0) })
    var accepted = 0
    for impression in 6...8 {
      let test = try state.authcore(
        "--driver", state.tape([print(101, impression)]), "finger", "test")
      accepted += test.status == 0 ? 1 : 0
    }
    #expect(accepted >= 2)
    for finger in [102, 103] {
      let test = try state.authcore("--driver", state.tape([print(finger, 6)]), "finger", "test")
      #expect(test.status == 1, "\(test.account)")
      #expect(try state.authcore("unlock", passcode: TestHome.passcode).status == 0)
    }
  }
}
