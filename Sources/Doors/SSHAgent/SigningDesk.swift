import CoreClient
import Cryptography
import LinuxSystem
import Protocol

/// Has keys of the enclave sign, one prompt at a time. Any thread.
final class SigningDesk: Sendable {
  /// What a proof may be reused for: the same key, connection, program and destination. Nothing tells
  /// which program of a process wrote what waits in another connection.
  private struct Purpose: Equatable {
    let point: [UInt8]
    let connection: UInt64
    let process: Int32
    let program: ObservedProcess
    let destination: [UInt8]
  }

  private struct Proof {
    let purpose: Purpose
    let context: ApplicationContext
    let ends: Deadline
  }

  let keys: EnclaveKeys
  private let log: SigningLog
  private let hosts: KnownHosts
  private let touchTimeout: Duration
  /// How long a prompt stays, passcode included: others wait behind it.
  private var longestPrompt: Duration { touchTimeout + .seconds(90) }
  private let reuseSeconds: UInt32
  private let turns = PromptTurns()
  private let proofs = Guarded<[Proof]>([])

  init(
    _ keys: EnclaveKeys, _ log: SigningLog, _ hosts: KnownHosts, touchTimeout: Duration,
    reuseSeconds: UInt32
  ) {
    self.keys = keys
    self.log = log
    self.hosts = hosts
    self.touchTimeout = touchTimeout
    self.reuseSeconds = reuseSeconds
  }

  /// Signs, or refuses and says in the log why.
  /// - Parameters:
  ///   - request: what is to be signed.
  ///   - caller: who asks.
  ///   - core: acts for the caller.
  ///   - socket: the caller's connection; a prompt is withdrawn if the caller closes it.
  /// - Returns: the answer to the caller.
  func answer(
    _ request: SignRequest, by caller: Caller, _ core: ApplicationClient, on socket: Int32
  ) -> [UInt8] {
    guard let key = keys.find(request.point, by: core) else { return [AgentMessage.failure] }
    var reason = SigningReason(request, key.name, by: caller, hosts)
    var isReused = false
    do throws(Failure) {
      let message = try EnclaveKeys.request(key, digest: Self.digest(of: request.bytes))
      let used: KeyUsed
      let purpose = purpose(request, key, caller)
      if let silent = try withoutPrompt(message, core, purpose, isReused: &isReused) {
        used = silent
      } else {
        used = try prompting(message, core, purpose, caller.process, socket) { waiting in
          reason = SigningReason(request, key.name, by: caller, hosts, waiting: waiting)
          return Prompting(
            reason: reason.text, timeout: touchTimeout, unlocks: true,
            writesToCaller: !request.mayBeForwarded)
        }
      }
      let answer = AgentMessage.signed(try Self.raw(used))
      log.note(request, reason, key: key.name, by: caller, isReused: isReused)
      if isReused { StandardError.say("authcore-ssh-agent: without another touch: \(reason.text)") }
      return answer
    } catch {
      refuse(request, reason, key.name, caller, error.withWayOut)
      return [AgentMessage.failure]
    }
  }

  /// Notes that a request is not carried out.
  func refuse(
    _ request: SignRequest, by caller: Caller, _ core: ApplicationClient, why: String
  ) -> [UInt8] {
    let name = keys.find(request.point, by: core)?.name ?? ""
    refuse(request, SigningReason(request, name, by: caller, hosts), name, caller, why)
    return [AgentMessage.failure]
  }

  private func refuse(
    _ request: SignRequest, _ reason: SigningReason, _ key: String, _ caller: Caller, _ why: String
  ) {
    log.note(request, reason, key: key, by: caller, refusedFor: why)
    StandardError.say("authcore-ssh-agent: not signed: \(why). \(reason.text)")
  }

  /// Notes that another request is refused.
  func refuse(_ request: String, by caller: Caller, why: String) {
    log.note(refused: request, by: caller, why)
    StandardError.say("authcore-ssh-agent: \(request): \(why)")
  }

  /// - Returns: nil if the owner has to be asked.
  private func withoutPrompt(
    _ message: borrowing UseKey, _ core: ApplicationClient, _ purpose: Purpose?,
    isReused: inout Bool
  ) throws(Failure) -> KeyUsed? {
    let context = purpose.flatMap { purpose in
      proofs.update { proofs in
        proofs.removeAll { $0.ends.remainingMilliseconds == 0 }
        return proofs.first { $0.purpose == purpose }?.context
      }
    }
    do throws(Failure) {
      guard let context else { return try core.ask(message, .forbidden) }
      let used: KeyUsed = try context.ask(message, .forbidden)
      isReused = true
      return used
    } catch {
      // A kept proof may fail for a reason of its own: its process runs another program.
      guard error.code == .errSecInteractionNotAllowed || context != nil else { throw error }
      return nil
    }
  }

  private func prompting(
    _ message: borrowing UseKey, _ core: ApplicationClient, _ purpose: Purpose?, _ process: Int32,
    _ socket: Int32, _ text: (_ waiting: Int) -> Prompting
  ) throws(Failure) -> KeyUsed {
    let cancellation = CancellationSignal()
    let turns = turns
    let watch = try HangUpWatch(socket) {
      cancellation.cancel()
      turns.wake()
    }
    defer { watch.end() }
    return try turns.take(of: process, cancellation) { (waiting) throws(Failure) in
      watch.end()
      let limit = try HangUpWatch(socket, within: longestPrompt) { cancellation.cancel() }
      defer { limit.end() }
      let context = ApplicationContext(core)
      let used: KeyUsed = try context.ask(message, text(waiting), cancellation: cancellation)
      if let purpose {
        let proof = Proof(
          purpose: purpose, context: context,
          ends: Deadline(milliseconds: Int32(reuseSeconds) * 1000))
        proofs.update { proofs in
          proofs.removeAll { $0.purpose == purpose }
          proofs.append(proof)
        }
      }
      return used
    }
  }

  /// What a proof for this signature serves; nil if for nothing else: the key was not made for
  /// that, the request came, or may have come, over a forwarded connection, or nothing says who
  /// asks or where the signature goes. A process apart can write under the ids of others there.
  private func purpose(
    _ request: SignRequest, _ key: OfferedKey, _ caller: Caller
  ) -> Purpose? {
    guard reuseSeconds > 0, key.isReusable, !request.mayBeForwarded, let program = caller.program,
      !program.isApart
    else { return nil }
    let destination: [UInt8]
    switch request.data {
    case .login:
      guard let host = request.binds.last?.host else { return nil }
      destination = host.plain
    case .file(let namespace): destination = Array(namespace.utf8)
    case .certificate, .brokenLogin, .other: return nil
    }
    return Purpose(
      point: request.point, connection: caller.connection, process: caller.process,
      program: program, destination: destination)
  }

  private static func digest(of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(CryptographyError) {
      return try SHA2.sha256(bytes.span)
    } catch {
      throw Failure(.coreFailed, "A hash failed: \(error)")
    }
  }

  private static func raw(_ used: borrowing KeyUsed) throws(Failure) -> [UInt8] {
    do throws(CryptographyError) {
      return try ECDSASignature(der: used.output.copied).raw
    } catch {
      throw Failure(.coreFailed, "The core sent an invalid signature: \(error)")
    }
  }
}

extension Failure {
  /// Its sentence, and what to do. Where nobody could be asked, the agent needs a place for that.
  fileprivate var withWayOut: String {
    guard code == .notInteractive else { return withHint }
    return """
      \(message): start authcore-agent, which asks in a window, or run authcore unlock first, or \
      start this agent in the foreground of a terminal
      """
  }
}

/// Lets one request prompt at a time. The process that was asked for longest ago is next, and of its
/// requests the first. Any thread.
final class PromptTurns: Sendable {
  private struct Place: Equatable {
    let number: Int
    let process: Int32
  }

  private struct Line {
    /// In the order of arrival.
    var places: [Place] = []
    var last = 0
    var isPrompting = false
    /// When each process that still waits was asked for last.
    var asked: [Int32: Int] = [:]

    var next: Place? { places.min { (asked[$0.process] ?? 0) < (asked[$1.process] ?? 0) } }
  }

  /// How many requests of a process wait; a further one is refused.
  static let mostOfProcess = 8

  private let line = Guarded(Line())

  /// Waits for a turn, and tells `body` how many others wait then. If the owner cancels the prompt,
  /// the requests of its process that wait are refused too.
  /// - Throws: `busy` if too many requests of the process wait, `appCancel` if it is cancelled
  ///   meanwhile, `userCancel` if the owner has cancelled another one, and what `body` throws.
  func take<Reply: ~Copyable>(
    of process: Int32, _ cancellation: CancellationSignal,
    _ body: (_ waiting: Int) throws(Failure) -> Reply
  ) throws(Failure) -> Reply {
    let arrived = line.update { line -> Place? in
      guard line.places.count(where: { $0.process == process }) < Self.mostOfProcess else {
        return nil
      }
      line.last += 1
      let place = Place(number: line.last, process: process)
      line.places.append(place)
      return place
    }
    guard let place = arrived else {
      throw Failure(.busy, "\(Self.mostOfProcess) signatures of this program wait already")
    }
    let turn: Result<Int, Failure> = line.wait { line in
      if cancellation.isCancelled {
        line.places.removeAll { $0 == place }
        return .failure(Failure(.appCancel, "The caller is gone"))
      }
      guard line.places.contains(place) else {
        return .failure(Failure(.userCancel, "The owner cancelled another prompt of this program"))
      }
      guard !line.isPrompting, line.next == place else { return nil }
      line.places.removeAll { $0 == place }
      line.isPrompting = true
      line.last += 1
      line.asked[process] = line.last
      let waiting = Set(line.places.map(\.process))
      line.asked = line.asked.filter { waiting.contains($0.key) }
      return .success(line.places.count)
    }
    let waiting = try turn.get()
    defer { line.update { $0.isPrompting = false } }
    do throws(Failure) {
      return try body(waiting)
    } catch {
      if error.code == .userCancel {
        line.update { $0.places.removeAll { $0.process == process } }
      }
      throw error
    }
  }

  /// How many requests wait.
  var waiting: Int { line.read { $0.places.count } }

  /// Has those that wait look at their cancellations.
  func wake() { line.update { _ in } }
}
