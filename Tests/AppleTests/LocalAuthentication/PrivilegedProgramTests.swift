import Foundation
import TestSupport
import Testing

/// For root, who alone can give a program a group that is not the caller's; `scripts/test` runs this
/// suite as root, too, if it is root.
@Suite(
  "A program with more rights than its caller's", .timeLimit(.minutes(10)),
  .enabled(if: getuid() == 0))
struct PrivilegedProgramTests {
  private let device: TestHome

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  /// What a copy of the application says in the environment of an attacker: a core whose finger is on
  /// a tape. Root owns its folder, and the attacker chose it.
  private func answer(mode: mode_t, name: String) throws -> TerminalRun {
    let copy = device.folder.url.appendingPathComponent(name).path
    try FileManager.default.copyItem(
      atPath: Products.program("exercise"), toPath: copy)
    // Where an installation has it, so that nothing but the environment is in the way.
    try? FileManager.default.createSymbolicLink(
      atPath: device.folder.url.appendingPathComponent("authcored").path,
      withDestinationPath: Products.program("authcored"))
    // A group that root is not in.
    try #require(unsafe chown(copy, 0, 65_530) == 0 && chmod(copy, mode) == 0)
    return try TerminalRun(
      ["authentication", "owner", "open the chest"], [], in: .foreground, program: copy,
      environment: [
        "AUTHCORE_HOME": device.home, "AUTHCORE_TPM": "off",
        "AUTHCORE_DRIVER": try device.ownerTouch(),
        "AUTHCORE_CORE": Products.program("authcored"),
        "XDG_STATE_HOME": device.folder.url.path, "HOME": device.folder.url.path,
      ])
  }

  @Test("FINDINGS A9: a set-group-ID program asks no core that its caller's environment names")
  func setGroupID() throws {
    let ordinary = try answer(mode: 0o755, name: "ordinary")
    #expect(ordinary.shown.contains("answer: yes"), "\(ordinary)")
    let privileged = try answer(mode: 0o2755, name: "privileged")
    #expect(privileged.shown.contains("answer: -"), "\(privileged)")
    #expect(!privileged.shown.contains("answer: yes"), "\(privileged)")
  }
}
