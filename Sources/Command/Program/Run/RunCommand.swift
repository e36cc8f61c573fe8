import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

struct RunCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "run", "Run a command with secrets in its environment or in unnamed files.",
    discussion: """
      The command replaces authcore, so its exit code and signals are its own. All secrets are \
      opened before it starts, and one proof serves all of them. If one cannot be opened, nothing \
      is started. Write \\/ for a / that is part of a service.

          authcore run --env TOKEN=deploy/ann -- ./deploy.sh --now
          authcore run --file KEY=registry --env PASSWORD=db -- docker-compose up

      With --file, the variable holds the path of a file in memory, which the command and its \
      children can read. Exits with 127 if the command is not found, and with 126 if it cannot be \
      run.
      """)

  @Option(
    help: ArgumentHelp(
      "Put an item's secret into the variable NAME. May be repeated.",
      valueName: "name=service[/account]"), completion: .bindings)
  var env: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Put the path of a file with an item's secret into the variable NAME. May be repeated.
      """,
      valueName: "name=service[/account]"), completion: .bindings)
  var file: [String] = []

  @OptionGroup var reason: ReasonOption
  @OptionGroup var appPassword: SecretOptions<AppPassword>
  @OptionGroup var options: GlobalOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp(
      "The command to run, with its arguments. Write -- in front if it begins with -."))
  var command: [String] = []

  func run(_ invocation: Invocation) throws(Failure) {
    let bindings = try SecretBinding.all(environment: env, files: file)
    guard let program = command.first else {
      throw .usage("No command to run is given", hint: "Write it at the end: -- COMMAND ARGUMENTS")
    }
    try reason.check()
    let given = try appPassword.answering(invocation)
    let environment = try open(bindings, for: program, given, invocation)
    keepSecretsOfTheCommandLine()
    let problem = environment.run(lastArguments: command.count)
    throw Self.failure(program, problem)
  }

  /// Opens all items in one context. Context and connection end before this returns.
  private func open(
    _ bindings: [SecretBinding], for command: String, _ given: GivenPasscode?,
    _ invocation: Invocation
  ) throws(Failure) -> EnvironmentBlock {
    let driver = try invocation.chosenDriver()
    try invocation.startCoreApart(prints: driver.prints)
    let session = try CoreSession(invocation, driver: driver)
    session.use(appPassword: given)
    var items: [(binding: SecretBinding, item: ItemAttributes)] = []
    for binding in bindings {
      let item = try Self.naming(binding) { () throws(Failure) in
        try session.theOne(binding.query)
      }
      items.append((binding, item))
    }
    let names =
      items.count > 3
      ? ItemText.count(items.count)
      : items.map { ItemText.name($0.item) }.joined(separator: ", ")
    let title = "Run \(command.printable) with \(names)"
    let options = invocation.promptOptions(reason: reason.text ?? title)
    let context = try session.openContext()
    var environment = EnvironmentBlock()
    for (binding, item) in items {
      let got: GotItem = try Self.naming(binding) { () throws(Failure) in
        try session.ask(GetItem(query: ItemQuery(naming: item)), options, in: context)
      }
      try Self.put(got.secret, as: binding, into: &environment)
    }
    try context.invalidate()
    return environment
  }

  private static func put(
    _ secret: borrowing SecretBytes, as binding: SecretBinding,
    into environment: inout EnvironmentBlock
  ) throws(Failure) {
    switch binding.way {
    case .file:
      let path = try SecretFile(holding: secret).handOver()
      environment.set(binding.name, to: Array(path.utf8).span)
    case .environment:
      guard !secret.bytes.indices.contains(where: { secret.bytes[$0] == 0 }) else {
        throw .usage(
          "\(binding.argument): the secret has a zero byte, which no variable can hold",
          hint: "Give it in a file: --file \(binding.name)=…")
      }
      environment.set(binding.name, to: secret.bytes)
    }
  }

  /// Adds to a failure which binding it is about.
  private static func naming<R: ~Copyable>(
    _ binding: SecretBinding, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    do throws(Failure) {
      return try body()
    } catch {
      throw Failure(error.code, "\(binding.argument): \(error.message)", hint: error.hint)
    }
  }

  /// Closes the secrets of this command, which are not for the one that replaces it.
  private func keepSecretsOfTheCommandLine() {
    let numbers = [options.passcode.descriptor, appPassword.descriptor].compactMap(\.self)
    for number in numbers {
      if number > STDERR_FILENO {
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      } else {
        close(number)
        StandardStreams.occupy()
      }
    }
  }

  private static func failure(_ command: String, _ number: Int32) -> Failure {
    switch number {
    case ENOENT: Failure(.commandNotFound, "\(command): not found")
    case E2BIG:
      Failure(
        .commandNotExecutable, "\(command): arguments and environment are too long",
        hint: "Give large secrets in files: --file NAME=SERVICE")
    default:
      Failure(
        .commandNotExecutable, "\(command) cannot be run: \(SystemCallError.text(of: number))")
    }
  }
}

extension CoreSession {
  /// - Throws: `errSecItemNotFound`, and `ambiguous` with the names of all that match.
  func theOne(_ query: ItemQuery) throws(Failure) -> ItemAttributes {
    let found = try find(query)
    guard let item = found.first else {
      throw .noSuchItem
    }
    guard found.count == 1 else {
      let names = found.prefix(10).map(ItemText.name).joined(separator: ", ")
      throw Failure(
        .ambiguous, "\(found.count) items match: \(names)\(found.count > 10 ? ", …" : "")",
        hint: "Name the account, too.")
    }
    return item
  }
}

extension Invocation {
  /// Has another process start the core if none runs. The command that replaces this process does
  /// not know of a child that is a core, and might wait for it.
  func startCoreApart(prints: CoreLocation.Prints) throws(Failure) {
    let access = try access(prints: prints)
    guard case .folder(let folder) = access.location, !access.location.isMissing else { return }
    if let running = try access.connectIfRunning(), running.isSameVersion { return }
    var launch = ProgramLaunch(
      path: "/proc/self/exe", arguments: ["status", "--json", "--home", folder])
    launch.environment = EnvironmentVariable.entries
    // If it does not start, connecting reports why.
    if let process = try? launch.start() { _ = process.wait() }
  }
}
