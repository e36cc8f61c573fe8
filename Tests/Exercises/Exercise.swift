/// Programs that tests run: each is an application, or a host, of one kind.
///
///     exercise usb|prompting|authentication|windows ARGUMENTS…
@main
enum Exercise {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "usb": USBExercise.main(arguments)
    case "prompting": PromptingProgram.run(arguments)
    case "authentication": await AuthenticationExercise.run(arguments)
    case "windows": WindowExercise.run()
    default: print("usage: exercise usb|prompting|authentication|windows ARGUMENTS…")
    }
  }
}
