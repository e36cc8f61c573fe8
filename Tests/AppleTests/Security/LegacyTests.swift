import Foundation
import Security
import Testing

@Suite("What is left of Security")
struct LegacyTests {
  @Test("X5: a shared password is one that a person can read aloud, and never the same")
  func sharedPassword() throws {
    var seen: Set<String> = []
    for _ in 0..<200 {
      let password = try #require(SecCreateSharedWebCredentialPassword() as String?)
      let groups = password.split(separator: "-", omittingEmptySubsequences: false)
      #expect(groups.count == 4 && groups.allSatisfy { $0.count == 3 })
      #expect(password.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
      #expect(!password.contains { "0O1lIio".contains($0) })
      seen.insert(password)
    }
    #expect(seen.count == 200)
  }

  @Test("X5: nobody shares passwords with web sites here, and that is said once")
  func sharing() {
    var errors: [CFError?] = []
    SecAddSharedWebCredential("example.org" as CFString, "ann" as CFString, nil) {
      errors.append($0)
    }
    SecRequestSharedWebCredential(nil, nil) { passwords, error in
      #expect(passwords == nil)
      errors.append(error)
    }
    #expect(errors.map { $0?.code } == [Int(errSecUnimplemented), Int(errSecUnimplemented)])
    #expect(errors.allSatisfy { $0?.domain == NSOSStatusErrorDomain })
  }

  @Test("X5: a list of trusted programs is made, and is of its class")
  func access() throws {
    var program: SecTrustedApplication?
    #expect(unsafe SecTrustedApplicationCreateFromPath(nil, &program) == errSecSuccess)
    var other: SecTrustedApplication?
    #expect(unsafe SecTrustedApplicationCreateFromPath("/usr/bin/env", &other) == errSecSuccess)
    let programs = [try #require(program), try #require(other)]
    var access: SecAccess?
    #expect(
      unsafe SecAccessCreate("mine" as CFString, programs as CFArray, &access) == errSecSuccess)
    let made = try #require(access)
    #expect(CFGetTypeID(made) == SecAccessGetTypeID())
    #expect(CFGetTypeID(programs[0]) == SecTrustedApplicationGetTypeID())
    #expect(programs[1].description.contains("/usr/bin/env"))
  }

  @Test("X5: random bytes differ, none is asked for in vain, and a negative count is refused")
  func random() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
    #expect(Set(bytes).count == 256)
    #expect(unsafe SecRandomCopyBytes(nil, -1, &bytes) == errSecParam)
  }
}

@Suite("Names of Core Foundation")
struct CoreFoundationTests {
  @Test("X5: objects are told apart by their classes")
  func types() {
    let objects: [(CFTypeRef, CFTypeID)] = [
      ("a" as NSString, CFStringGetTypeID()), (NSMutableString(string: "a"), CFStringGetTypeID()),
      ([:] as NSDictionary, CFDictionaryGetTypeID()), ([] as NSArray, CFArrayGetTypeID()),
      (NSMutableData(), CFDataGetTypeID()), (NSDate(), CFDateGetTypeID()),
      (NSNumber(value: 5), CFNumberGetTypeID()), (NSNumber(value: 1), CFNumberGetTypeID()),
      (NSNumber(value: true), CFBooleanGetTypeID()), (kCFBooleanFalse, CFBooleanGetTypeID()),
      (NSNull(), CFNullGetTypeID()), (NSError(), CFErrorGetTypeID()), (NSSet(), CFSetGetTypeID()),
      (NSURL(fileURLWithPath: "/"), CFURLGetTypeID()),
    ]
    for (object, identifier) in objects {
      #expect(CFGetTypeID(object) == identifier, "\(type(of: object))")
    }
    #expect(Set(objects.map(\.1)).count == 11 && CFGetTypeID(nil) == 0)
  }

  @Test("X5: functions take nil where Apple's end the program")
  func nils() {
    #expect(CFErrorGetCode(nil) == 0 && CFErrorCopyDescription(nil) == "")
    #expect(CFErrorCreate(nil, nil, 3, nil).code == 3)
    let strange = [NSNumber(value: 1): "x", "key" as NSString: "y"] as NSDictionary
    #expect(CFErrorCopyUserInfo(CFErrorCreate(nil, "d" as NSString, 1, strange)).count == 1)
    #expect(CFEqual(nil, nil) && !CFEqual("a" as NSString, nil) && CFHash(nil) == 0)
    #expect(CFEqual("a" as NSString, NSMutableString(string: "a")))
    #expect(CFDataGetLength(CFDataCreate(nil, nil, 4)) == 4)
    #expect(CFDataGetLength(unsafe CFDataCreate(nil, [1, 2, 3], 3)) == 3)
    #expect(CFDataGetLength(CFDataCreate(nil, nil, -1)) == 0)
  }
}
