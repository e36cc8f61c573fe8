import Glibc

/// The last arguments of this process, byte by byte as it was given them: a command and what it gets.
struct CommandLineTail {
  private let count: Int

  /// - Parameter arguments: the same ones as text.
  init(_ arguments: [String]) {
    precondition((1..<Int(CommandLine.argc)).contains(arguments.count), "not of this process")
    count = arguments.count
  }

  /// Runs the command in this process's place.
  /// - Returns: only where it cannot be run: errno.
  func run(in environment: consuming EnvironmentBlock) -> Int32 {
    // The vector ends with NULL (execve(2)) and stays as long as the process.
    let vector = unsafe CommandLine.unsafeArgv + (Int(CommandLine.argc) - count)
    guard let program = unsafe vector.pointee else { return ENOENT }
    return unsafe environment.run(program, vector)
  }
}
