extension Door {
  /// The file of its program, which lies beside the core.
  package var program: String {
    switch self {
    case .sshAgent: "authcore-ssh-agent"
    case .age: "age-plugin-authcore"
    case .docker: "docker-credential-authcore"
    }
  }

  /// Its name in the policy, in the journal and in `authcore status`.
  package var name: String {
    switch self {
    case .sshAgent: "ssh-agent"
    case .age: "age"
    case .docker: "docker"
    }
  }

  /// What prompts call the way through it.
  package var title: String {
    switch self {
    case .sshAgent: "SSH"
    case .age: "age"
    case .docker: "Docker"
    }
  }

  /// Whether the program that it acts for starts it and waits for it; else it is a daemon.
  package var isStartedByCaller: Bool { self != .sshAgent }
}
