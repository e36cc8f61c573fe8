import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

extension HostSandbox {
  /// Refuses a plugin whose constructors left descriptors open.
  /// - Parameters:
  ///   - file: what was loaded last.
  ///   - code: of the failure.
  /// - Throws: `code`, naming the file and the descriptors.
  func expectNoDescriptors(of file: TrustedFile, code: FailureCode) throws(Failure) {
    let stray = strayDescriptors()
    guard !stray.isEmpty else { return }
    let numbers = stray.map { String($0) }.joined(separator: ", ")
    throw Failure(
      code, "Cannot use \(file.path): while it was loaded it left descriptor \(numbers) open",
      hint: "a plugin opens nothing before its entry is called; try another version of it")
  }
}
