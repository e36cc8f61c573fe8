import ChoreKeeping
import Foundation

let usage = """
  Chores               shows the list, and adds a chore if you like
  Chores list          shows the list
  Chores add TITLE     adds a chore, which the owner of this machine has to permit
  """

let program = ChoresProgram(file: ChoreFile(), owner: DeviceOwner())
let arguments = Array(CommandLine.arguments.dropFirst())

do {
  switch (arguments.first, arguments.count) {
  case (nil, _):
    show(try program.file.load())
    // Only if a person can answer.
    guard isatty(STDIN_FILENO) == 1 else { break }
    print("\nAdd a Chore (or just Enter): ", terminator: "")
    fflush(nil)
    guard let title = readLine(), !title.isEmpty else { break }
    show(try await program.add(title))
  case ("list", 1): show(try program.file.load())
  case ("add", 2...): show(try await program.add(arguments.dropFirst().joined(separator: " ")))
  default:
    complain(usage)
    exit(64)
  }
} catch {
  complain(error.localizedDescription)
  exit(1)
}

func show(_ list: ChoreList) {
  for line in list.lines { print(line) }
}

func complain(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
