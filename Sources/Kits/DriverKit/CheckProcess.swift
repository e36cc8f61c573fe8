import Glibc
import LinuxSystem
import Protocol

/// The process of one check: starts it, reads its report, and kills it if it hangs.
struct CheckProcess {
  struct Report {
    /// Its report, without places and log lines, of which there are many.
    var words: [CheckReportLine] = []
    /// What it did last.
    var place: (text: String, disturbance: String?)?
    /// How it ended, or nil if it was silent for too long and was killed.
    var end: ProcessEnd?
    /// The first bytes that it wrote to standard output or error.
    var output: [UInt8] = []

    /// The result that it reported, or nil if it did not get that far.
    var verdict: CheckFinding.Outcome? {
      for word in words.reversed() {
        switch word {
        case .passed(let note): return .passed(note: note)
        case .failed(let reason, let advice, _): return .failed(reason: reason, advice: advice)
        case .notRun(let reason): return .notRun(reason: reason)
        case .at, .processHarmed, .log: continue
        }
      }
      return nil
    }

    fileprivate mutating func take(_ word: CheckReportLine) {
      switch word {
      case .at(let text, let disturbance): place = (text, disturbance)
      case .log: break
      case .passed, .failed, .notRun, .processHarmed:
        if words.count < CheckProcess.mostWords { words.append(word) }
      }
    }
  }

  let launch: ProgramLaunch
  /// How long it may be silent.
  let timeoutMilliseconds: Int32

  /// For a shell, without the report.
  var commandLine: String {
    ([launch.path] + launch.arguments).map { $0.contains(" ") ? "'\($0)'" : $0 }
      .joined(separator: " ") + " 3>/dev/null"
  }

  /// The most bytes of lines that are read at a time.
  private static let longestReport = 1 << 20
  /// A check reports fewer than ten words; a driver could write more in its place.
  fileprivate static let mostWords = 100
  private static let longestOutput = 4096

  /// Runs it to its end. `hear` is told each word as it comes.
  ///
  /// - Throws: `coreFailed` if it cannot be started.
  func run(_ hear: (CheckReportLine) -> Void) throws(Failure) -> Report {
    var words = try Pipe(nonBlocking: .reader)
    var output = try Pipe(nonBlocking: .reader)
    var launch = launch
    launch.descriptors = [words.writer]
    launch.standardStreams = [nil, output.writer, output.writer]
    launch.startsSession = true
    let child: ChildProcess
    do throws(SystemCallError) {
      child = try launch.start()
    } catch {
      throw Failure(
        .coreFailed, "Cannot start \(launch.path): \(error)",
        hint: "check the limits on processes (ulimit -u) and memory")
    }
    // The child has its own. These would keep the pipes open.
    words.closeWriter()
    output.closeWriter()
    return listen(child, words: words.reader, output: output.reader, hear)
  }

  private func listen(
    _ child: borrowing ChildProcess, words: Int32, output: Int32, _ hear: (CheckReportLine) -> Void
  ) -> Report {
    var report = Report()
    // The beginning of a line that has not ended.
    var text: [UInt8] = []
    var isOver = false
    while !isOver {
      var polls = [words, output, child.pidfd].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = unsafe poll(&polls, nfds_t(polls.count), timeoutMilliseconds)
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 {
        child.kill()
        _ = child.wait()
        report.end = nil
        break
      }
      // Once it has ended, only what is in the pipes is read: descendants may hold the other ends.
      isOver = polls[2].revents != 0
      Self.drain(words, into: &text, limit: Self.longestReport)
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in lines.dropLast() {
        guard let word = CheckReportLine(line: String(decoding: line, as: UTF8.self)) else {
          continue
        }
        report.take(word)
        hear(word)
      }
      text = Array(lines.last ?? [])
      Self.drain(output, into: &report.output, limit: Self.longestOutput)
      if isOver { report.end = child.wait() }
    }
    return report
  }

  /// Reads what is there, without waiting. Drops what is over the limit.
  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Bounded, because a driver could write without end.
    for _ in 0..<64 {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer.prefix(min(count, max(0, limit - bytes.count)))
    }
  }
}

/// A line that a check's process writes to its parent. The driver is in that process and could
/// write lines too, so any bytes can be read; a driver that lies harms only its own report.
package enum CheckReportLine: Equatable, Sendable {
  /// What is about to be done, and what was done to the device, in case the process dies or hangs.
  case at(String, disturbance: String? = nil)
  case passed(note: String?)
  /// The check failed. Failures with the same cause are one mistake of the driver.
  case failed(reason: String, advice: String?, cause: CheckCause)
  /// The check could not be run.
  case notRun(reason: String)
  /// The driver did something to the process that drivers must not do.
  case processHarmed(reason: String)
  case log(CheckLogLine)

  private static let separator: Character = "\t"

  /// Returns nil if the text is not such a line.
  package init?(line: String) {
    let parts: [Substring] = line.split(
      separator: Self.separator, maxSplits: 4, omittingEmptySubsequences: false)
    let fields = parts.map { String($0) }
    func field(_ index: Int) -> String? {
      fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
    }
    let text = field(1) ?? ""
    switch fields.first {
    case "at": self = .at(text, disturbance: field(2))
    case "passed": self = .passed(note: field(1))
    case "failed":
      self = .failed(
        reason: text, advice: field(2),
        cause: CheckCause(own: field(3) ?? text, consequenceOf: field(4)))
    case "not-run": self = .notRun(reason: text)
    case "harmed": self = .processHarmed(reason: text)
    case "log":
      self = .log(CheckLogLine(speaker: text, level: field(2) ?? "", text: field(3) ?? ""))
    default: return nil
    }
  }

  /// The line, without a line break.
  package var line: String {
    switch self {
    case .at(let place, let disturbance): Self.line("at", place, disturbance ?? "")
    case .passed(let note): Self.line("passed", note ?? "")
    case .failed(let reason, let advice, let cause):
      Self.line("failed", reason, advice ?? "", cause.own, cause.consequenceOf ?? "")
    case .notRun(let reason): Self.line("not-run", reason)
    case .processHarmed(let reason): Self.line("harmed", reason)
    case .log(let line): Self.line("log", line.speaker, line.level, line.text)
    }
  }

  private static func line(_ fields: String...) -> String {
    fields.map { field in
      String(field.map { $0.isNewline || $0 == separator ? " " : $0 })
    }.joined(separator: String(separator))
  }
}

/// What causes a failure.
package struct CheckCause: Equatable, Sendable {
  /// The driver gives no frame even of a sound touch.
  package static let noFrame = "no frame"

  /// The same for all failures that are one mistake.
  package let own: String
  /// Another cause that would explain the failure, too.
  package let consequenceOf: String?

  /// Numbers in `own`, which differ from place to place, are left out.
  package init(own: String, consequenceOf: String? = nil) {
    self.own = String(own.filter { !$0.isNumber })
    self.consequenceOf = consequenceOf
  }
}

/// A line that the driver, its transport or its device model wrote to the log.
package struct CheckLogLine: Equatable, Sendable {
  /// `driver`, `transport` or `model`; and `debug`, `info`, `warning` or `error`.
  package let speaker, level, text: String

  package init(speaker: String, level: String, text: String) {
    (self.speaker, self.level, self.text) = (speaker, level, text)
  }
}
