import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// An application that asks for the owner on its terminal, as the libraries do; for tests. It has
/// no signal handlers, and more threads.
///
///     exercise prompting NAME REASON [FIFO]
///
/// Prints the result. Another thread cancels the request when FIFO is opened for writing.
enum PromptingProgram {
  static func run(_ arguments: [String]) {
    do throws(Failure) {
      print("proved by the \(try evaluate(arguments))")
    } catch {
      print("\(error.code): \(error.message)")
      exit(1)
    }
  }

  private static func evaluate(_ arguments: [String]) throws(Failure) -> ProvedBy {
    let cancellation = CancellationSignal()
    if arguments.count > 2 { listen(arguments[2], cancellation) }
    let location = try CoreLocation.choose(
      home: nil, prints: .real, environment: .current(), service: nil)
    let connection = try CoreAccess(to: location).connect()
    let terminal = Terminal.controlling()
    let situation = TerminalSituation(of: terminal)
    let agent = try TerminalAgent(of: terminal, situation, cancelledBy: cancellation)
    let touch = situation.awaitedTouch()
    let options = PromptOptions(
      reason: arguments[1], fallbackTitle: nil, cancelTitle: nil, timeoutMilliseconds: 30_000,
      mayPrompt: touch != .none, touch: touch, canGivePasscode: situation.takesKeys,
      prefersPasscode: false, mayUseAgent: situation.mayUseAgent,
      applicationName: arguments[0])
    // The request does not run on the thread that gets signals.
    let outcome = Guarded<Result<ProvedBy, Failure>?>(nil)
    nonisolated(unsafe) let request = (connection, agent)
    SystemThread.start(name: "request") {
      let (connection, agent) = unsafe request
      let result = Result { () throws(Failure) in
        try agent.carryOut { () throws(Failure) -> Evaluated in
          try connection.request(
            Evaluate(policy: .owner, context: noContext, options: options), agent: agent)
        }.evidence
      }
      outcome.update { $0 = result }
    }
    return try outcome.wait { $0 }.get()
  }

  private static func listen(_ path: String, _ cancellation: CancellationSignal) {
    SystemThread.start(name: "canceller") {
      close(unsafe open(path, O_RDONLY))
      cancellation.cancel()
    }
  }
}
