// The program `authcored`: one core for one state folder. People start it with `authcore serve`;
// commands start it on demand.

import AuthCore
import BuildIdentity
import Glibc
import Wire

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--version"] {
  print(BuildIdentity.text(of: "authcored"))
  exit(0)
}
let report = StartReport(to: CoreArguments.readyDescriptor(in: arguments))
do throws(Failure) {
  try CoreServer.run(try CoreArguments(arguments), report: report)
} catch {
  exit(report.send(error))
}
