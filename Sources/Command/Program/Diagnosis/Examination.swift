import CoreClient
import Glibc
import LinuxSystem
import PluginHosting
import Protocol

/// Looks for everything that can be wrong with programs, drivers, readers, the named driver and the
/// core.
struct Examination {
  private let invocation: Invocation
  private let installation = Installation.current(isService: false)

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// The findings, in the order in which to fix them. A failure becomes a finding.
  func findings() -> [Finding] {
    var findings = programs() + environment()
    let entries = invocation.catalog(installation).all()
    findings += drivers(entries)
    let known = entries.compactMap { try? $0.result.get() }
    let named = NamedDriver(invocation, in: installation)
    let isOfService = isOfService(named)
    findings += ConnectedReaders(isOfService: isOfService).findings(drivers: known)
    findings += named.findings
    // A core could not use it either.
    guard named.isUsable else { return findings }
    do throws(Failure) {
      // The service takes no driver from a client. This process has looked at it already.
      let session = try CoreSession(invocation, driver: isOfService ? nil : named.driver)
      let status = try session.status()
      let core = status.isService ? "the service runs" : "it runs"
      findings.append(.good("core", "\(core) and is of this version (\(status.home))"))
      let service: ServiceTroubles = try session.request(GetServiceTroubles())
      findings += service.troubles.map(Finding.init)
      findings += StatusFindings.findings(status)
      let list: FingerList = try session.ask(ListFingers())
      findings += StatusFindings.enrolledEarlier(list.fingers)
    } catch {
      findings.append(.problem("core", error))
    }
    return findings
  }

  /// Whether the service would be asked. If the location cannot be determined, the finding about
  /// the core says so.
  private func isOfService(_ named: NamedDriver) -> Bool {
    do throws(Failure) {
      guard case .service = try invocation.access(prints: named.driver.prints).location else {
        return false
      }
      return true
    } catch {
      return false
    }
  }

  private func programs() -> [Finding] {
    let folder = installation.executableFolder
    let missing = ["authcored", "authcore-host"].compactMap { name -> Finding? in
      let path = "\(folder)/\(name)"
      guard unsafe access(path, X_OK) != 0 else { return nil }
      return .problem(
        "programs", "\(path) cannot be run: \(SystemCallError.text(of: errno))",
        remedy: installation.tree.remedy)
    }
    return missing.isEmpty ? [.good("programs", installation.tree.text)] : missing
  }

  private func environment() -> [Finding] {
    installation.announcements.map {
      .remark("environment", $0, remedy: "Unset it if that is not meant.")
    }
  }

  private func drivers(_ entries: [DriverCatalog.Entry]) -> [Finding] {
    var findings: [Finding] = []
    var names: [String] = []
    for entry in entries {
      switch entry.result {
      case .success(let driver): names.append(driver.description.name)
      case .failure(let failure): findings.append(.problem("driver", failure))
      }
    }
    guard !names.isEmpty else {
      return findings + [
        .problem("driver", "No driver was found", remedy: installation.tree.remedy)
      ]
    }
    return findings + [.good("driver", names.joined(separator: ", "))]
  }
}

/// One result of `doctor`.
struct Finding: Equatable {
  enum State: String {
    case good
    /// It works, but something could be better.
    case remark
    /// It does not work.
    case problem
  }

  /// What was looked at.
  let subject: String
  let state: State
  let text: String
  /// The command that fixes it, or what to do.
  let remedy: String?

  static func good(_ subject: String, _ text: String) -> Finding {
    Finding(subject: subject, state: .good, text: text, remedy: nil)
  }

  static func remark(_ subject: String, _ text: String, remedy: String?) -> Finding {
    Finding(subject: subject, state: .remark, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ text: String, remedy: String?) -> Finding {
    Finding(subject: subject, state: .problem, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ failure: Failure) -> Finding {
    .problem(subject, failure.message, remedy: failure.hint)
  }
}

extension Finding {
  /// A trouble that the service reports.
  init(_ trouble: ServiceTrouble) {
    self.init(
      subject: trouble.subject, state: trouble.isProblem ? .problem : .remark, text: trouble.text,
      remedy: trouble.remedy)
  }
}

enum FindingText {
  static func lines(_ findings: [Finding], _ paint: Paint) -> [String] {
    let width = findings.map(\.subject.count).max() ?? 0
    var lines: [String] = []
    for finding in findings {
      lines += paint.hanging(
        finding.text.printable,
        behind: mark(finding.state, paint) + "  " + finding.subject.padded(to: width) + "  ")
      if let remedy = finding.remedy {
        let indent = String(repeating: " ", count: width + 10)
        lines += paint.hanging(remedy.printable, behind: indent).map { paint($0, .accent) }
      }
    }
    let problems = findings.count { $0.state == .problem }
    let end =
      switch problems {
      case 0: "No problem was found."
      case 1: "One problem was found."
      default: "\(problems) problems were found."
      }
    return lines + ["", end]
  }

  private static func mark(_ state: Finding.State, _ paint: Paint) -> String {
    switch state {
    case .good: paint("ok    ", .good)
    case .remark: paint("note  ", .doubtful)
    case .problem: paint("wrong ", .bad)
    }
  }

  static func json(_ findings: [Finding]) -> JSONValue {
    .object([
      "works": .bool(!findings.contains { $0.state == .problem }),
      "findings": .array(
        findings.map { finding in
          .object([
            "subject": .string(finding.subject), "state": .string(finding.state.rawValue),
            "message": .string(finding.text), "remedy": finding.remedy.map(JSONValue.string),
          ])
        }),
    ])
  }
}
