/// A thread that starts programs and lasts as long as this process.
///
/// `PR_SET_PDEATHSIG` sends its signal when the *thread* that started a program ends (`prctl(2)`),
/// so a program that asks for it must not be started from a thread that comes and goes.
package enum LaunchThread {
  private struct Order: Sendable {
    let launch: ProgramLaunch
    let answer: Guarded<Answer>
  }

  private struct Answer: ~Copyable, Sendable {
    var result: Result<ChildProcess, SystemCallError>?
  }

  private static let orders: Guarded<[Order]> = {
    let orders = Guarded<[Order]>([])
    SystemThread.start(name: "launch") {
      while true {
        let order = orders.wait { $0.isEmpty ? nil : $0.removeFirst() }
        order.answer.update { answer in
          do throws(SystemCallError) {
            answer.result = .success(try order.launch.start())
          } catch {
            answer.result = .failure(error)
          }
        }
      }
    }
    return orders
  }()

  /// Starts a program from the lasting thread; waits until it is started.
  package static func start(_ launch: ProgramLaunch) throws(SystemCallError) -> ChildProcess {
    let answer = Guarded(Answer())
    orders.update { $0.append(Order(launch: launch, answer: answer)) }
    let result = answer.wait { $0.result.take() }
    return try result.get()
  }
}
