import Foundation
import Security
import Testing

@Suite("SecAccessControl")
struct AccessControlTests {
  @Test(
    "A1: flags that go together make an access control, others are errSecParam",
    arguments: [
      FlagCase([], true), FlagCase(.userPresence, true), FlagCase(.biometryAny, true),
      FlagCase(.touchIDAny, true), FlagCase(.biometryCurrentSet, true),
      FlagCase(.touchIDCurrentSet, true), FlagCase(.devicePasscode, true),
      FlagCase(.applicationPassword, true), FlagCase(.privateKeyUsage, true),
      FlagCase([.biometryAny, .or, .devicePasscode], true),
      FlagCase([.biometryAny, .and, .devicePasscode], true),
      FlagCase([.biometryAny, .devicePasscode], true),
      FlagCase([.userPresence, .applicationPassword], true),
      FlagCase([.userPresence, .privateKeyUsage], true),
      FlagCase([.biometryCurrentSet, .or, .devicePasscode, .privateKeyUsage], true),
      FlagCase([.biometryAny, .or, .watch], true),
      FlagCase([.or, .and, .biometryAny, .devicePasscode], false),
      FlagCase([.biometryAny, .biometryCurrentSet], false),
      FlagCase([.userPresence, .devicePasscode], false),
      FlagCase([.userPresence, .biometryAny], false), FlagCase([.userPresence, .or], false),
      FlagCase(.watch, false), FlagCase([.watch, .or], false),
      FlagCase([.watch, .and, .biometryAny], false), FlagCase([.companion], false),
      FlagCase(SecAccessControlCreateFlags(rawValue: 1 << 2), false),
      FlagCase(SecAccessControlCreateFlags(rawValue: .max), false),
    ])
  func validation(_ flag: FlagCase) throws {
    var error: Unmanaged<CFError>?
    let made = unsafe SecAccessControlCreateWithFlags(
      kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, flag.flags, &error)
    #expect((made != nil) == flag.isValid)
    let given = unsafe error?.takeRetainedValue()
    #expect((given == nil) == flag.isValid)
    if let given {
      #expect(given.domain == NSOSStatusErrorDomain)
      #expect(CFErrorGetCode(given) == Int(errSecParam))
      #expect(CFErrorCopyDescription(given).length > 20)
    }
  }

  @Test("A5: the protection is one of the classes, and nothing else")
  func protections() {
    for protection: CFTypeRef in [
      kSecAttrAccessibleAlways, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
      "ck" as NSString,
    ] {
      #expect(SecAccessControlCreateWithFlags(nil, protection, [.userPresence], nil) != nil)
    }
    for wrong: CFTypeRef in [
      "" as NSString, "when-unlocked" as NSString, NSNumber(value: 1), NSNull(), NSArray(),
      kSecAttrAccessibleUntilReboot,
    ] {
      #expect(SecAccessControlCreateWithFlags(nil, wrong, [.userPresence], nil) == nil)
    }
  }

  @Test("X5: the bits are Apple's")
  func bits() {
    #expect(SecAccessControlCreateFlags.userPresence.rawValue == 1)
    #expect(SecAccessControlCreateFlags.biometryAny.rawValue == 2)
    #expect(SecAccessControlCreateFlags.biometryCurrentSet.rawValue == 8)
    #expect(SecAccessControlCreateFlags.devicePasscode.rawValue == 16)
    #expect(SecAccessControlCreateFlags.watch.rawValue == 32)
    #expect(SecAccessControlCreateFlags.or.rawValue == 1 << 14)
    #expect(SecAccessControlCreateFlags.and.rawValue == 1 << 15)
    #expect(SecAccessControlCreateFlags.privateKeyUsage.rawValue == 1 << 30)
    #expect(SecAccessControlCreateFlags.applicationPassword.rawValue == 1 << 31)
  }

  @Test("X5: two access controls that want the same are equal, and of one class")
  func equality() {
    let one = accessControl([.biometryAny, .or, .devicePasscode])
    #expect(one == accessControl([.biometryAny, .or, .devicePasscode]))
    #expect(one.hash == accessControl([.biometryAny, .or, .devicePasscode]).hash)
    #expect(one != accessControl([.biometryAny, .devicePasscode]))
    #expect(one != accessControl([.biometryAny, .or, .devicePasscode], kSecAttrAccessibleAlways))
    #expect(CFGetTypeID(one) == SecAccessControlGetTypeID())
    #expect(SecAccessControlGetTypeID() != CFStringGetTypeID())
    #expect(CFEqual(one, one) && !CFEqual(one, NSNull()))
  }
}
