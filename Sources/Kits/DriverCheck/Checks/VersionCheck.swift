import AuthcoreABI
import DriverKit

/// How the entry meets hosts of other versions.
struct VersionCheck {
  private let arguments: CheckArguments
  private let report: CheckReporter

  private typealias Entry =
    @convention(c) (
      UnsafePointer<ac_host_t>?, UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
    ) -> ac_status_t

  init(_ arguments: CheckArguments, _ report: CheckReporter) {
    (self.arguments, self.report) = (arguments, report)
  }

  func run() throws(CheckEnd) -> String? {
    let host = CheckHost()
    let entry = unsafe try Plugin(arguments.driver).function(
      AC_SENSOR_ENTRY_SYMBOL, as: Entry.self)
    var table: UnsafePointer<ac_sensor_driver_t>?
    report.at("ac_sensor_entry of a host of version 2.0")
    let refusal = unsafe entry(host.table(version: 2 << 16, for: .driver), &table)
    guard refusal == ac_status_t(AC_ERR_ABI) else {
      throw .failed(
        "a host of version 2.0 got \(Status.name(refusal)), not AC_ERR_ABI",
        advice: "compare AC_ABI_MAJOR(host->abi_version) before anything else")
    }
    guard unsafe table == nil else {
      throw .failed(
        "it refused a host of version 2.0 and wrote *ret_driver all the same",
        advice: "out-parameters are written when AC_OK is returned, and only then (common.h)")
    }
    report.at("ac_sensor_entry of a host of version 1.9")
    let status = unsafe entry(host.table(version: 1 << 16 | 9, for: .driver), &table)
    guard status == Status.ok, unsafe table != nil else {
      throw .failed(
        "a host of version 1.9 got \(Status.name(status))",
        advice: "a plugin built for any 1.x works with any host 1.y: compare major versions only")
    }
    return nil
  }
}
