import CoreFoundationTypes
import Foundation
import Security
import Testing

@Suite(
  "Apple's constants",
  .enabled(if: AppleTable.areThere, "no ../shared/appleapi here: set AUTHCORE_SHARED"))
struct ConstantTests {
  @Test("X5: every constant of SecItem has Apple's value, and none is missing")
  func texts() throws {
    let rows = try AppleTable.rows("constants.tsv")
    let mine = Dictionary(
      uniqueKeysWithValues: NamedConstants.texts.map { ($0.key, String($0.value)) })
    #expect(rows.count > 190)
    for row in rows { #expect(mine[row.name] == row.value, "\(row.name)") }
    #expect(mine.count == rows.count)
  }

  @Test("X5: every status code has Apple's number, and none is missing")
  func statuses() throws {
    let rows = try AppleTable.rows("errsec.tsv")
    let mine = Dictionary(uniqueKeysWithValues: NamedConstants.statuses.map { ($0.name, $0.value) })
    #expect(rows.count > 370)
    for row in rows { #expect(mine[row.name].map { "\($0)" } == row.value, "\(row.name)") }
    #expect(mine.count == rows.count)
  }
}

@Suite("What constants are")
struct ConstantIdentityTests {
  @Test("X5: a constant is the same object each time, on every thread")
  func identity() async {
    #expect(kSecClass === kSecClass)
    #expect(kSecAttrService === kSecAttrService)
    let places = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { ObjectIdentifier(kSecAttrIsPermanent).hashValue } }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(places.count == 1)
  }

  @Test("X5: the names that are no texts of SecItem are there")
  func others() {
    #expect(noErr == 0)
    #expect(errSecSuccess == noErr)
    let hasSource = unsafe kSecRandomDefault != nil
    #expect(!hasSource)
    #expect(kSecAttrAccess as String == "acls")
    #expect(kCFBundleIdentifierKey as String == "CFBundleIdentifier")
  }
}

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

/// The names and values of this module's constants.
enum NamedConstants {
  /// Every status code by its name.
  static var statuses: [(name: String, value: OSStatus)] {
    firstStatuses.map { ($0.key, $0.value) } + lastStatuses.map { ($0.key, $0.value) }
  }
}
