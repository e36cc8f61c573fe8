import Foundation
import Security
import Testing

extension CFError {
  /// Lets a number be matched in `catch`, as some applications do.
  fileprivate static func ~= (code: OSStatus, error: CFError) -> Bool {
    CFErrorGetDomain(error) as String == NSOSStatusErrorDomain
      && CFErrorGetCode(error) == Int(code)
  }
}

/// Errors of Core Foundation.
@Suite("X5: errors of Core Foundation as existing code takes them")
struct ErrorIdioms {
  private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard
      let made = SecAccessControlCreateWithFlags(
        kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked as CFTypeRef, flags, &error)
    else { throw error!.takeRetainedValue() as Error }
    return made
  }

  @Test("an access control, or an error that is thrown")
  func accessControl() throws {
    let control = try control([.biometryAny, .or, .devicePasscode])
    #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
    let any: Any = control
    #expect(any as! SecAccessControl === control)
    #expect(
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        != nil)
    do {
      _ = try self.control([.biometryAny, .biometryCurrentSet])
      Issue.record("that is no access control")
    } catch let error as NSError {
      #expect(error.domain == NSOSStatusErrorDomain && error.code == Int(errSecParam))
    }
    do {
      _ = try self.control([.or, .and])
      Issue.record("that is no access control")
    } catch {
      #expect((error as NSError).code == Int(errSecParam))
      #expect(errSecParam ~= (error as NSError))
    }
  }

  @Test("errors are made and read by the functions of C")
  func functions() {
    let error: CFError = CFErrorCreate(
      nil, "example" as CFErrorDomain, 7,
      [NSLocalizedDescriptionKey: "it broke"] as CFDictionary)
    #expect(CFErrorGetCode(error) == 7 && CFErrorGetDomain(error) as String == "example")
    #expect(CFErrorCopyDescription(error) as String == "it broke")
    let info = CFErrorCopyUserInfo(error) as? [String: Any]
    #expect(info?[NSLocalizedDescriptionKey] as? String == "it broke")
    #expect((error as Error).localizedDescription == "it broke")
    #expect(NSError().code == 0)
    #expect(
      Unmanaged.passRetained(error).takeRetainedValue() as NSError == error as NSError)
  }

  @Test("a status has a message")
  func messages() {
    let optional = SecCopyErrorMessageString(errSecItemNotFound, nil) as String?
    let forced = SecCopyErrorMessageString(errSecItemNotFound, nil)! as String
    let tried = SecCopyErrorMessageString(errSecItemNotFound, nil) as? String
    #expect(optional == forced && tried == forced && !forced.isEmpty)
  }

  @Test("random bytes go where an array has room for them")
  func random() {
    var bytes = [UInt8](repeating: 0, count: 32)
    #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
    #expect(bytes != [UInt8](repeating: 0, count: 32))
    var data = Data(count: 16)
    let status = data.withUnsafeMutableBytes {
      SecRandomCopyBytes(kSecRandomDefault, $0.count, $0.baseAddress!)
    }
    #expect(status == errSecSuccess && data != Data(count: 16))
    #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &bytes) == errSecSuccess)
  }
}
