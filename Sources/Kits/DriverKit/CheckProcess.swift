import Glibc
import LinuxSystem
import Protocol

/// One check's process: started, listened to, and ended where it hangs.
struct CheckProcess {
  /// What it showed.
  struct Report {
    /// What it said, but for the places and lines of the log, of which there are many.
    var words: [CheckReportLine] = []
    /// The last thing that was about to be done.
    var place: (text: String, disturbance: String?)?
    /// How it ended; nil: it was silent for too long and was ended.
    var end: ProcessEnd?
    /// The first bytes of what it wrote to standard output or error.
    var output: [UInt8] = []

    /// What the check said of itself at its end; nil when it did not come to that.
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
  /// How long nothing may be heard of it.
  let patienceMilliseconds: Int32

  /// Bytes of lines that are taken at a time.
  private static let longestReport = 1 << 20
  /// A check says fewer than ten; a driver could say more in its place.
  fileprivate static let mostWords = 100
  private static let longestOutput = 4096

  /// Runs it to its end.
  /// - Parameter hear: is told each word as it comes.
  /// - Returns: all of them, and how it ended.
  /// - Throws: `coreFailed` where it cannot be started.
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
    // The child has its own; these must not keep the pipes open.
    words.closeWriter()
    output.closeWriter()
    return listen(child, words: words.reader, output: output.reader, hear)
  }

  private func listen(
    _ child: borrowing ChildProcess, words: Int32, output: Int32, _ hear: (CheckReportLine) -> Void
  ) -> Report {
    var report = Report()
    // What has come of a line that has not ended.
    var text: [UInt8] = []
    var isOver = false
    while !isOver {
      var polls = [words, output, child.pidfd].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = unsafe poll(&polls, nfds_t(polls.count), patienceMilliseconds)
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 {
        child.kill()
        _ = child.wait()
        report.end = nil
        break
      }
      // Once it has ended, what lies in the pipes is all there is: descendants may hold the other
      // ends.
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

  /// Takes what is there, without waiting; what is over the limit is dropped.
  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // Bounded: a driver that floods must not keep the parent here.
    for _ in 0..<64 {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer.prefix(min(count, max(0, limit - bytes.count)))
    }
  }
}

/// A line that a check's process writes to its parent. The driver is in that process and could
/// write lines too, so reading is total and a driver that lies harms its own report alone.
package enum CheckReportLine: Equatable, Sendable {
  /// What is about to be done, and what was done to the device, if anything: named when the process
  /// dies or hangs.
  case at(String, disturbance: String? = nil)
  case passed(note: String?)
  /// The check failed. Two failures with the same cause are one mistake of the driver's, said in
  /// two places.
  case failed(reason: String, advice: String?, cause: CheckCause)
  /// The check could not be run.
  case notRun(reason: String)
  /// The driver did something to the process that no driver may.
  case processHarmed(reason: String)
  case log(CheckLogLine)

  /// Between the fields of a line.
  private static let separator: Character = "\t"

  /// Reads a line; nil when it is none.
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

  /// The line, without its end.
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

/// What a failure comes from.
package struct CheckCause: Equatable, Sendable {
  /// No driver fails by this that gives a frame of a sound touch.
  package static let noFrame = "no frame"

  /// The same for all failures that are one mistake.
  package let own: String
  /// Another cause that would explain it as well.
  package let consequenceOf: String?

  /// Describes a cause; numbers in it, which differ from place to place, do not count.
  package init(own: String, consequenceOf: String? = nil) {
    self.own = String(own.filter { !$0.isNumber })
    self.consequenceOf = consequenceOf
  }
}

/// A line that the driver, its transport or its device model wrote to the log.
package struct CheckLogLine: Equatable, Sendable {
  /// By `driver`, `transport` or `model`, at the level `debug`, `info`, `warning` or `error`.
  package let speaker, level, text: String

  package init(speaker: String, level: String, text: String) {
    (self.speaker, self.level, self.text) = (speaker, level, text)
  }
}
