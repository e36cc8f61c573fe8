import ClientProtocol
import Wire

/// What a request came to.
enum RequestOutcome: ~Copyable {
  /// The reply, as it goes to the client.
  case reply(SecretBytes)
  case failure(Failure)
  /// The bytes are not the message they should be.
  case garbage(DecodeError)
}

/// The requests a greeted client may make, by message number. What is not here is garbage.
enum RequestTable {
  /// Decodes and runs one request.
  typealias Entry = @Sendable (Call, borrowing SecretBytes) -> RequestOutcome

  /// Every request that needs the engines.
  static let entries: [UInt8: Entry] = {
    var entries: [UInt8: Entry] = [:]
    add(GetStatus.self, &entries) { (call, _) throws(Failure) in try call.status() }
    add(CanEvaluate.self, &entries) { (call, request) throws(Failure) in
      try call.canEvaluate(request)
    }
    add(Evaluate.self, &entries) { (call, request) throws(Failure) in try call.evaluate(request) }
    add(LockDevice.self, &entries) { (call, _) throws(Failure) in try call.lock() }
    add(UnlockDevice.self, &entries) { (call, request) throws(Failure) in
      try call.unlock(request)
    }
    add(SetPasscode.self, &entries) { (call, request) throws(Failure) in
      try call.setPasscode(request)
    }
    add(ChangePasscode.self, &entries) { (call, request) throws(Failure) in
      try call.changePasscode(request)
    }
    add(RemovePasscode.self, &entries) { (call, request) throws(Failure) in
      try call.removePasscode(request)
    }
    add(EnrollFinger.self, &entries) { (call, request) throws(Failure) in
      try call.enrollFinger(request)
    }
    add(ListFingers.self, &entries) { (call, _) throws(Failure) in try call.listFingers() }
    add(RenameFinger.self, &entries) { (call, request) throws(Failure) in
      try call.renameFinger(request)
    }
    add(RemoveFinger.self, &entries) { (call, request) throws(Failure) in
      try call.removeFinger(request)
    }
    add(TestFinger.self, &entries) { (call, request) throws(Failure) in
      try call.testFinger(request)
    }
    add(AddItem.self, &entries) { (call, request) throws(Failure) in try call.addItem(request) }
    add(FindItems.self, &entries) { (call, request) throws(Failure) in
      try call.findItems(request)
    }
    add(GetItem.self, &entries) { (call, request) throws(Failure) in try call.getItem(request) }
    add(UpdateItems.self, &entries) { (call, request) throws(Failure) in
      try call.updateItems(request)
    }
    add(RemoveItems.self, &entries) { (call, request) throws(Failure) in
      try call.removeItems(request)
    }
    return entries
  }()

  private static func add<
    Request: WireMessage & ~Copyable, Reply: WireMessage & ~Copyable
  >(
    _ type: Request.Type, _ entries: inout [UInt8: Entry],
    _ body: @escaping @Sendable (Call, consuming Request) throws(Failure) -> Reply
  ) {
    entries[Request.number] = { call, bytes in
      let request: Request
      do throws(DecodeError) {
        request = try ClientEnvelope.decode(bytes.bytes)
      } catch {
        return .garbage(error)
      }
      do throws(Failure) {
        let reply = try body(call, request)
        return .reply(ClientEnvelope.encode(reply, request: call.identifier))
      } catch {
        return .failure(error)
      }
    }
  }
}
