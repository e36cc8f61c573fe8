import Foundation
import Security
import Testing

@Suite("What status codes say")
struct StatusMessageTests {
  @Test("X5: every code has a sentence, and an older name that of the newer one")
  func sentences() {
    for (name, value) in NamedConstants.statuses {
      let sentence = SecCopyErrorMessageString(value, nil) as String? ?? ""
      #expect(sentence.hasSuffix(".") && !sentence.contains("\(value)"), "\(name)")
    }
    #expect(SecCopyErrorMessageString(errSecDskFull, nil) as String? == "The disk is full.")
    #expect(
      SecCopyErrorMessageString(errSecInvaldCRLAuthority, nil) as String?
        == "The authority that made the revocation list is not valid.")
  }

  @Test("X5: a number that is none of Security's is named", arguments: [1, -7, .min, .max])
  func strangers(_ status: OSStatus) throws {
    let text = try #require(SecCopyErrorMessageString(status, nil) as String?)
    #expect(text.contains("\(status)"))
  }
}
