import Foundation
import TestSupport
import Testing

@Suite("authcore sdk install", .timeLimit(.minutes(15)))
struct SDKCommandTests {
  private let state: TestHome
  init() throws { state = try TestHome() }

  @Test(
    "X5: what is no toolchain is refused before anything is built, with a way out",
    arguments: ["/bin/false", "/nonexistent", "/bin/cat", ""])
  func noToolchain(_ swift: String) throws {
    let sdk = state.folder.url.appendingPathComponent("sdk")
    let run = try state.authcore("sdk", "install", sdk.path, "--swift", swift)
    #expect(run.status == 64, "\(run.account)")
    #expect(run.text.contains("--swift FILE"), "\(run.account)")
    #expect(!FileManager.default.fileExists(atPath: sdk.path))
  }

  @Test("without a swift in PATH it says how to get one")
  func noSwift() throws {
    let run = try state.authcore("sdk", "install", "sdk", environment: ["PATH": "/nowhere"])
    #expect(run.status == 64, "\(run.account)")
    #expect(run.text.contains("no swift in PATH"), "\(run.account)")
  }
}
