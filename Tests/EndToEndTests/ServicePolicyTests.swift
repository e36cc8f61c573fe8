import Foundation
import TestSupport
import Testing

/// For root, who alone can write a policy that is believed; `scripts/test` runs this suite as root,
/// where it is root.
@Suite("The service and its policy", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0))
struct ServicePolicyTests {
  @Test("what the policy asks for holds in the enclave, and is only ever tightened")
  func policy() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[passcode]\ncharacters = 9\n")
    let short = try service.authcore("passcode", "set", passcode: "12345678")
    #expect(short.errorName == "passcodeTooShort", "\(short.account)")
    // One with an error is refused with its line, and the last good one stays.
    try service.write(policy: "[passcode]\ncharacters = 3\n")
    try service.signal(SIGHUP)
    #expect(service.awaitLog("policy.toml:2: characters is a number from 4 to 64"))
    #expect(service.log.contains("the last good one stays"))
    #expect(
      try service.authcore("passcode", "set", passcode: "12345678").errorName
        == "passcodeTooShort")
    // A stricter one holds at once.
    try service.write(policy: "[passcode]\ncharacters = 11\n")
    try service.signal(SIGHUP)
    for _ in 0..<400 {
      let set = try service.authcore("passcode", "set", passcode: "1234567890")
      if set.errorName == "passcodeTooShort" { break }
      #expect(set.status == 0)
      _ = try service.authcore("passcode", "remove", "--yes", passcode: "1234567890")
    }
    #expect(try service.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
  }

  @Test("a policy that cannot be read at the start lets nothing new be granted, and says so")
  func strictest() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[biometry]\nmisses = many\n")
    let set = try service.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.errorName == "passcodeTooShort", "\(set.account)")
    #expect(service.log.contains("policy.toml:2: "), "\(service.log)")
    #expect(service.log.contains("the strictest one holds until it is mended"))
    try service.write(policy: "")
    try service.restart()
    #expect(try service.authcore("passcode", "set", passcode: TestHome.passcode).status == 0)
  }

  /// What somebody besides root can do to a policy, and what is said about it.
  enum Weakness: CaseIterable {
    case fileOfService, fileOfEverybody, folderOfService, folderOfEverybody, stickyFolder

    fileprivate func apply(to service: TestService) -> String {
      let (file, folder) = (service.policyFile, service.configuration)
      switch self {
      case .fileOfService:
        _ = unsafe chown(file, UnprivilegedUser.service, 0)
        return "chown root \(file)"
      case .fileOfEverybody:
        _ = unsafe chmod(file, 0o666)
        return "chmod go-w \(file)"
      case .folderOfService:
        _ = unsafe chown(folder, UnprivilegedUser.service, 0)
        return "chown root \(folder)"
      case .folderOfEverybody:
        _ = unsafe chmod(folder, 0o777)
        return "chmod go-w \(folder)"
      case .stickyFolder:
        _ = unsafe chmod(folder, 0o1777)
        return "chmod go-w \(folder)"
      }
    }
  }

  @Test(
    "a policy that somebody besides root may change is not believed", arguments: Weakness.allCases)
  func changeable(weakness: Weakness) throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "")
    let remedy = weakness.apply(to: service)
    #expect(try service.authcore("status").status == 0)
    #expect(service.log.contains("run: \(remedy)"), "\(service.log)")
    #expect(service.log.contains("the strictest one holds until it is mended"))
  }

  @Test("a policy behind a link is believed where it lies, and its folders are root's")
  func linked() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[passcode]\ncharacters = 9\n")
    let files = FileManager.default
    try files.moveItem(atPath: service.configuration, toPath: service.configuration + "-kept")
    try files.createSymbolicLink(
      atPath: service.configuration, withDestinationPath: "etc-kept")
    let short = try service.authcore("passcode", "set", passcode: "12345678")
    #expect(short.errorName == "passcodeTooShort", "\(short.account)")
    #expect(!service.log.contains("refused"), "\(service.log)")
  }

  @Test("doctor says that a policy is refused, until it is mended")
  func refusedPolicy() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[nosuch]\n")
    let wrong = "policy.toml:1: there is no table [nosuch]"
    let doctor = try service.authcore("doctor")
    #expect(doctor.text.contains(wrong), "\(doctor.account)")
    #expect(doctor.text.contains("the strictest one holds until it is mended"))
    try service.write(policy: "")
    try service.signal(SIGHUP)
    #expect(eventually { (try? service.authcore("doctor").text.contains(wrong)) == false })
  }

  @Test("a driver that the policy allows and that is not installed is warned of")
  func unknownDriver() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[readers]\ndrivers = [\"elan\", \"ellan\"]\n")
    #expect(try service.authcore("status").status == 0)
    #expect(
      service.awaitLog(
        "allows a driver that cannot be used: No driver is called \u{201C}ellan\u{201D}"))
    #expect(!service.log.contains("\u{201C}elan\u{201D}"), "\(service.log)")
    let doctor = try service.authcore("doctor")
    #expect(doctor.text.contains("It allows a driver that cannot be used"), "\(doctor.account)")
    #expect(doctor.text.contains("\u{201C}ellan\u{201D}"), "\(doctor.account)")
  }
}
