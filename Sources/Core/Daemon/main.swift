// The program `authcored`: one core for one state folder, or with --service one for each user of the
// machine. People start it with `authcore serve`, systemd starts the service; commands and
// applications start it on demand, and applications ask it about drivers.

import AuthCore
import BuildIdentity
import Glibc
import Protocol

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--version"] {
  print(BuildIdentity.text(of: "authcored"))
  exit(0)
}
if arguments == [WitnessProcess.option] {
  WitnessProcess.run()
  exit(0)
}
let report = StartReport(to: CoreArguments.readyDescriptor(in: arguments))
do throws(Failure) {
  if arguments.first == DriverResolution.option {
    report.send(try DriverResolution(arguments).resolve())
  } else {
    let parsed = try CoreArguments(arguments)
    if parsed.isService {
      try MachineService.run(parsed)
    } else {
      try CoreServer.run(parsed, report: report)
    }
  }
} catch {
  exit(report.send(error))
}
