import CSystemCalls
import DriverKit
import Glibc
import LinuxSystem
import PluginHosting
import Protocol
import Sandbox

/// What a driver's constructors do, which run before anybody has called it.
struct LoadingCheck {
  private let arguments: CheckArguments
  private let report: CheckReporter

  init(_ arguments: CheckArguments, _ report: CheckReporter) {
    (self.arguments, self.report) = (arguments, report)
  }

  func run() throws(CheckEnd) -> String? {
    let files = try pluginFiles()
    let openings = try listen()
    let before = ProcessCounts()
    let mappedBefore = Self.writableCode()
    let first = openings.read { $0.count }
    report.at("its constructors")
    _ = try Plugin(arguments.driver)
    let opened = openings.read {
      $0.dropFirst(first).map { String(decoding: $0, as: UTF8.self) }
    }
    if let path = opened.first(where: { !Self.isLibrary($0, files) }) {
      throw .failed(
        "it opened \(path) while it was loaded",
        advice: "open files in open() or later; what a host lets a constructor read is libraries")
    }
    let after = ProcessCounts()
    guard after.descriptors <= before.descriptors else {
      throw .failed(
        "it left \(after.descriptors - before.descriptors) more descriptors open while it was loaded",
        advice: "open in open() what the device needs: a host refuses a driver that does it earlier"
      )
    }
    guard after.threads <= before.threads else {
      throw .failed(
        "it started a thread while it was loaded",
        advice: "start threads in open(), and end them in close()")
    }
    guard Self.writableCode() <= mappedBefore else {
      throw .failed(
        "it mapped memory that is both written and executed",
        advice: "the sandbox refuses such memory, when it is loaded and later")
    }
    return nil
  }

  private func pluginFiles() throws(CheckEnd) -> PluginFiles {
    do throws(Failure) {
      return try PluginFiles([TrustedFile(checking: arguments.driver)], code: .driverFailed)
    } catch {
      throw .failed(error.message, advice: error.hint)
    }
  }

  /// From here on the paths of all files that this thread opens are collected.
  private func listen() throws(CheckEnd) -> Guarded<[[UInt8]]> {
    let paths = Guarded<[[UInt8]]>([])
    let listening = Guarded<OpeningListener?>(nil)
    // Started before there is a filter, which therefore does not hold it.
    SystemThread.start(name: "openings") {
      let listener = listening.wait { $0.take() }
      while listener.next({ path in paths.update { $0.append(path) } }) {}
    }
    _ = ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
    do throws(SystemCallError) {
      let listener = try OpeningListener()
      listening.update { $0 = listener }
    } catch {
      throw .notRun("this kernel does not tell which files are opened (\(error))")
    }
    return paths
  }

  /// Whether the loader or a library of the system opens this, as it does for any driver.
  private static func isLibrary(_ path: String, _ files: PluginFiles) -> Bool {
    let system = ["/lib/", "/lib64/", "/usr/", "/etc/", "/proc/", "/sys/", "/dev/"]
    return files.paths.contains(path) || system.contains { path.hasPrefix($0) }
      || files.libraryNames.contains { path.hasSuffix("/" + $0) }
  }

  /// How many mappings of this process are both written and executed (proc_pid_maps(5)).
  private static func writableCode() -> Int {
    guard let file = unsafe fopen("/proc/self/maps", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var count = 0
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = text.split(separator: " ", maxSplits: 2)
      if fields.count > 1, fields[1].contains("w"), fields[1].contains("x") { count += 1 }
    }
    return count
  }
}
