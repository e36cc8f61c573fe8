import Foundation
import TestSupport
import Testing

@Suite("authcore pam enable and disable")
struct PAMCommandTests {
  private let folder: TemporaryFolder
  private let root: URL
  private static let sudo = "#%PAM-1.0\n@include common-auth\n@include common-account\n"

  init() throws {
    folder = try TemporaryFolder()
    root = folder.url.resolvingSymlinksInPath()
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("etc/pam.d"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("usr/lib/security"), withIntermediateDirectories: true)
    try write("usr/lib/security/pam_authcore.so", "a module")
    try write("usr/lib/security/pam_unix.so", "libpam's own")
    try write("etc/pam.d/sudo", Self.sudo)
    try write("etc/pam.d/common-auth", "auth required pam_unix.so\n")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: root.appendingPathComponent(name))
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path + "/etc/pam.d").sorted()
  }

  private func pam(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["pam"] + arguments + ["--root", root.path])
  }

  @Test("X1: sudo is enabled with a backup, once, and disabled to the last byte")
  func there() throws {
    let path = root.path + "/etc/pam.d/sudo"
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let enabled = try pam("enable", "sudo")
    #expect(enabled.status == 0, "\(enabled.errors)")
    #expect(enabled.output.contains("sudo -k; sudo true"))
    #expect(enabled.output.contains("disable sudo"))
    #expect(enabled.output.contains("\(path):  auth sufficient pam_authcore.so #"))
    let line = "auth\tsufficient\tpam_authcore.so\t# added by authcore pam enable\n"
    let after = "#%PAM-1.0\n\(line)@include common-auth\n@include common-account\n"
    #expect(try read("etc/pam.d/sudo") == after)
    #expect(try read("etc/pam.d/sudo.before-authcore") == Self.sudo)
    let facts = try FileManager.default.attributesOfItem(atPath: path)
    #expect(facts[.posixPermissions] as? Int == 0o640)
    let again = try pam("enable", "sudo", "--json")
    #expect(again.status == 0 && again.output.contains("\"changed\":false"))
    let disabled = try pam("disable", "sudo", "--json")
    #expect(disabled.output.contains("\"enabled\":false,\"changed\":true"))
    #expect(try read("etc/pam.d/sudo") == Self.sudo)
    #expect(try names() == ["common-auth", "sudo"], "nothing is left behind")
    #expect(try pam("disable", "sudo", "--json").output.contains("\"changed\":false"))
  }

  @Test("changes made in between stay, and so does the backup")
  func changedBetween() throws {
    _ = try pam("enable", "sudo")
    try write("etc/pam.d/sudo", try read("etc/pam.d/sudo") + "session optional pam_mail.so\n")
    let disabled = try pam("disable", "sudo")
    #expect(disabled.status == 0 && disabled.output.contains("sudo.before-authcore"))
    #expect(try read("etc/pam.d/sudo") == Self.sudo + "session optional pam_mail.so\n")
    #expect(try names() == ["common-auth", "sudo", "sudo.before-authcore"])
  }

  @Test("enabled again, a line keeps its arguments, and no missing backup is named")
  func again() throws {
    _ = try pam("enable", "sudo")
    let edited = try read("etc/pam.d/sudo").replacing(".so\t#", with: ".so timeout=10\t#")
    try write("etc/pam.d/sudo", edited)
    let second = try pam("enable", "sudo")
    #expect(second.output.contains("already. Nothing was changed."), "\(second.output)")
    #expect(try read("etc/pam.d/sudo") == edited && edited.contains("timeout=10"))
    // The module is found by its path alone, and the backup has gone.
    try FileManager.default.removeItem(atPath: root.path + "/usr/lib/security/pam_unix.so")
    try FileManager.default.removeItem(atPath: root.path + "/etc/pam.d/sudo.before-authcore")
    let third = try pam("enable", "sudo")
    #expect(third.status == 0 && !third.output.contains("before-authcore"), "\(third.output)")
    #expect(try read("etc/pam.d/sudo").contains("/usr/lib/security/pam_authcore.so timeout=10\t#"))
  }

  @Test("a link stays a link, the file that it leads to changes, and no link leads out")
  func links() throws {
    let folder = root.path + "/etc/pam.d"
    try write("etc/pam.d/kept", Self.sudo)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/doas", withDestinationPath: "kept")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/outside", withDestinationPath: "/etc/passwd")
    #expect(try pam("enable", "doas").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/doas") == "kept")
    #expect(try read("etc/pam.d/kept").contains("pam_authcore.so"))
    #expect(try pam("enable", "outside").status == 64)
  }

  @Test(
    "names that are not a service's are refused, and nothing is made",
    arguments: ["", ".", "..", "../sudo", "a/b", "sudo\n", "-x", "common-auth", "nothing-here"])
  func names(service: String) throws {
    for command in ["enable", "disable"] {
      let run = try CommandRun(["pam", command, "--root", root.path, "--", service])
      #expect(run.status == (service == "nothing-here" ? 3 : 64), "\(run.errors)")
    }
    #expect(try names() == ["common-auth", "sudo"])
  }

  @Test("obstacles are reported with what to do about them")
  func inTheWay() throws {
    let folder = root.path + "/etc/pam.d"
    try FileManager.default.createDirectory(
      atPath: folder + "/sudo.before-authcore", withIntermediateDirectories: false)
    let backup = try pam("enable", "sudo")
    #expect(backup.status != 0 && backup.errors.contains("move it away"), "\(backup.errors)")
    #expect(try read("etc/pam.d/sudo") == Self.sudo)
    #expect(try names() == ["common-auth", "sudo", "sudo.before-authcore"])
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/loop", withDestinationPath: "loop")
    let loop = try pam("enable", "loop")
    #expect(loop.status == 64 && loop.errors.contains("ls -l \(folder)/loop"), "\(loop.errors)")
    #expect(!loop.errors.contains("--root"), "\(loop.errors)")
  }

  @Test(
    "a file that a service reads may ask authcore already; a folder and a long file are no service")
  func odd() throws {
    try write(
      "etc/pam.d/common-auth", "auth sufficient pam_authcore.so\nauth required pam_unix.so\n")
    let included = try pam("enable", "sudo")
    #expect(included.status == 0 && included.output.contains("common-auth asks authcore already"))
    #expect(try read("etc/pam.d/sudo") == Self.sudo)
    try FileManager.default.createDirectory(
      atPath: root.path + "/etc/pam.d/folder", withIntermediateDirectories: false)
    #expect(try pam("enable", "folder").status == 64)
    try write("etc/pam.d/long", String(repeating: "# \n", count: 500_000))
    #expect(try pam("enable", "long").status == 64)
  }

  @Test("a second factor that a service reads from another file is found, and nothing is changed")
  func secondFactor() throws {
    try write(
      "etc/pam.d/common-auth",
      """
      auth requisite pam_faillock.so preauth
      auth [success=1 default=ignore] pam_unix.so
      auth requisite pam_deny.so
      auth required pam_google_authenticator.so

      """)
    let run = try pam("enable", "sudo")
    #expect(run.status == 64 && run.errors.contains("pam_faillock.so"), "\(run.errors)")
    #expect(try read("etc/pam.d/sudo") == Self.sudo && names() == ["common-auth", "sudo"])
  }

  @Test(
    "a file that other services read is not changed and one of them is named; an added line can be removed",
    arguments: ["@include system-auth", "auth include system-auth", "auth substack system-auth"])
  func readByOthers(inclusion: String) throws {
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("usr/lib/pam.d"), withIntermediateDirectories: true)
    let plain = "auth required pam_unix.so\n"
    try write("etc/pam.d/system-auth-kept", plain)
    let folder = root.path + "/etc/pam.d"
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/system-auth", withDestinationPath: "system-auth-kept")
    try write("etc/pam.d/login", "\(inclusion)\n")
    for name in ["system-auth", "system-auth-kept"] {
      let run = try pam("enable", name)
      #expect(run.status == 64 && run.errors.contains("is read by login:"), "\(run.errors)")
      #expect(run.errors.contains("sudo authcore pam enable login"), "\(run.errors)")
    }
    // Through another file, from the folder of the system, and what that says of a name of /etc/pam.d does not count.
    try write("etc/pam.d/login", "auth include password-auth\n")
    try write("usr/lib/pam.d/login", "\(inclusion)\n")
    #expect(try pam("enable", "system-auth").status == 0)
    #expect(try pam("disable", "system-auth").output.contains("asks as before"))
    try write("usr/lib/pam.d/password-auth", "\(inclusion)\n")
    let through = try pam("enable", "system-auth")
    #expect(through.status == 64 && through.errors.contains("read by login:"), "\(through.errors)")
    // A line that is there already, as one that was added before somebody began to read the file.
    try write(
      "etc/pam.d/system-auth-kept",
      "auth\tsufficient\tpam_authcore.so\t# added by authcore pam enable\n\(plain)")
    let there = try pam("enable", "system-auth")
    #expect(there.status == 0 && there.output.contains("Nothing was changed"), "\(there.errors)")
    #expect(try pam("disable", "system-auth").status == 0)
    #expect(try read("etc/pam.d/system-auth-kept") == plain)
  }

  @Test(
    "variants of a program may read its file and are reported; other purposes do not count")
  func variants() throws {
    try write("etc/pam.d/sudo-i", "auth include sudo\nsession include sudo\n")
    try write("etc/pam.d/cron", "account include sudo\n@include common-account\n")
    let run = try pam("enable", "sudo")
    #expect(run.status == 0 && run.output.contains("reads this file: sudo-i"), "\(run.output)")
    #expect(try pam("enable", "sudo-i").output.contains("sudo asks authcore already"))
    _ = try pam("disable", "sudo")
    #expect(try pam("enable", "sudo", "--json").output.contains("\"readBy\":[\"sudo-i\"]"))
    _ = try pam("disable", "sudo")
    // Who reads what reads it, who has it by another name, and a reader with lines that make no sense.
    try write("etc/pam.d/desk", "auth include sudo-i\n")
    #expect(try pam("enable", "sudo").errors.contains("sudo is read by desk:"))
    try write("etc/pam.d/desk", "nonsense\nauth include sudo\n")
    #expect(try pam("enable", "sudo").errors.contains("sudo is read by desk:"))
    try FileManager.default.removeItem(at: root.appendingPathComponent("etc/pam.d/desk"))
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/etc/pam.d/doas", withDestinationPath: "sudo")
    #expect(
      try pam("enable", "sudo", "--json").output.contains("\"readBy\":[\"doas\",\"sudo-i\"]"))
    _ = try pam("disable", "sudo")
    for (name, next) in [("one", "two"), ("two", "three"), ("three", "one")] {
      try write("etc/pam.d/\(name)", "auth include \(next)\n")
    }
    #expect(try pam("enable", "one").errors.contains("one is read by three, two:"))
  }

  @Test("a module that does not lie beside libpam's own is named by its path")
  func elsewhere() throws {
    try FileManager.default.removeItem(atPath: root.path + "/usr/lib/security/pam_unix.so")
    #expect(try pam("enable", "sudo").status == 0)
    let path = root.path + "/usr/lib/security/pam_authcore.so"
    #expect(try read("etc/pam.d/sudo").contains("\tsufficient\t\(path)\t"))
  }

  @Test("without the module, and where the folder cannot be written, nothing is changed")
  func missing() throws {
    try FileManager.default.removeItem(atPath: root.path + "/usr/lib/security/pam_authcore.so")
    let run = try pam("enable", "sudo")
    #expect(run.status == 64 && run.errors.contains("not installed"), "\(run.errors)")
    #expect(try read("etc/pam.d/sudo") == Self.sudo && names() == ["common-auth", "sudo"])
  }

  @Test(
    "only root can change this machine, and the error says so",
    .enabled(if: geteuid() != 0 && FileManager.default.fileExists(atPath: "/etc/pam.d/other")))
  func rights() throws {
    let run = try CommandRun("pam", "enable", "other")
    #expect(run.status == 4, "\(run.errors)")
    #expect(run.errors.contains("sudo authcore pam enable other"), "\(run.errors)")
  }
}
