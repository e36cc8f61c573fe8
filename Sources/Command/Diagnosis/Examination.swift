import ClientProtocol
import CoreConnections
import Glibc
import LinuxSystem
import PluginHosting
import Wire

/// Looks at everything that can be in the way: programs, drivers, readers, the driver that was
/// named, the core, and what it says of itself.
struct Examination {
  private let invocation: Invocation
  private let installation = Installation.current(isService: false)

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// In the order in which to mend them. Never fails: what fails is a finding.
  func findings() -> [Finding] {
    var findings = programs() + environment()
    let entries = invocation.catalogue(installation).all()
    findings += drivers(entries)
    let known = entries.compactMap { try? $0.result.get() }
    findings += ConnectedReaders.findings(drivers: known)
    let named = NamedDriver(invocation, in: installation)
    findings += named.findings
    // A core could do no more with it.
    guard named.isUsable else { return findings }
    do throws(Failure) {
      let session = try invocation.openSession()
      let status: CoreStatus = try session.request(GetStatus())
      findings.append(.good("core", "it runs and is of this version (\(status.home))"))
      findings += StatusFindings.findings(status)
      let list: FingerList = try session.ask(ListFingers())
      findings += StatusFindings.enrolledEarlier(list.fingers)
    } catch {
      findings.append(.problem("core", error))
    }
    return findings
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

  private func drivers(_ entries: [DriverCatalogue.Entry]) -> [Finding] {
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
