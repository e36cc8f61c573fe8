import BuildIdentity
import Glibc
import LinuxSystem
import Protocol
import SSHAgent

/// The entry of `authcore-ssh-agent`.
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--version"] {
      print(BuildIdentity.text(of: "authcore-ssh-agent"))
      exit(0)
    }
    do throws(Failure) {
      try SSHAgentProgram.run(arguments)
    } catch {
      StandardError.say(
        "authcore-ssh-agent: \(error.message)" + (error.hint.map { "\n\($0)" } ?? ""))
      exit(error.code.exitCode)
    }
  }
}
