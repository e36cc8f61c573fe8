import AuthcoreABI
import Glibc
import LinuxSystem
import Protocol

/// The tables of the services that only engines get. `context` is the pointer to ``HostServices``
/// that the host's table has.
extension HostServices {
  static func folderTable(_ path: String) -> ac_folder_service_t {
    unsafe ac_folder_service_t(
      struct_size: UInt32(MemoryLayout<ac_folder_service_t>.size), path: strdup(path))
  }

  @unsafe static func eventTable(_ context: UnsafeMutableRawPointer) -> ac_event_service_t {
    unsafe ac_event_service_t(
      struct_size: UInt32(MemoryLayout<ac_event_service_t>.size), context: context,
      emit: { context, bytes, count in
        guard let services = unsafe HostServices.at(context), let bytes = unsafe bytes,
          0...Int(HostProtocol.maximumEngineMessage) ~= count
        else { return }
        // The plugin keeps the bytes valid during this call (engine.h).
        unsafe services.emit?(Span(_unsafeStart: bytes, count: count))
      })
  }

  @unsafe static func enclaveTable(_ context: UnsafeMutableRawPointer) -> ac_enclave_service_t {
    unsafe ac_enclave_service_t(
      struct_size: UInt32(MemoryLayout<ac_enclave_service_t>.size), context: context,
      call: { context, request, count, reply, replyContext in
        guard let services = unsafe HostServices.at(context), let request = unsafe request,
          let reply = unsafe reply, 0...Int(HostProtocol.maximumEngineMessage) ~= count
        else { return ac_status_t(AC_ERR_ARGUMENT) }
        // The plugin keeps the request valid during this call (engine.h).
        let span = unsafe Span(_unsafeStart: request, count: count)
        guard let answer = services.callEnclave?(span) else { return ac_status_t(AC_ERR_GONE) }
        unsafe answer.withUnsafeBytes { bytes in
          unsafe reply(
            replyContext, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        return ac_status_t(AC_OK)
      })
  }

  @unsafe static func storeTable(_ context: UnsafeMutableRawPointer) -> ac_store_service_t {
    unsafe ac_store_service_t(
      struct_size: UInt32(MemoryLayout<ac_store_service_t>.size), context: context,
      load: { context, name, bytes, capacity, count in
        unsafe HostServices.at(context)?.load(name, bytes, capacity, count)
          ?? ac_status_t(AC_ERR_ARGUMENT)
      },
      save: { context, name, bytes, count in
        unsafe HostServices.at(context)?.save(name, bytes, count) ?? ac_status_t(AC_ERR_ARGUMENT)
      },
      remove: { context, name in
        unsafe HostServices.at(context)?.remove(name) ?? ac_status_t(AC_ERR_ARGUMENT)
      })
  }

  @unsafe static func tpmTable(_ context: UnsafeMutableRawPointer) -> ac_tpm_service_t {
    unsafe ac_tpm_service_t(
      struct_size: UInt32(MemoryLayout<ac_tpm_service_t>.size), context: context,
      transmit: { context, command, count, milliseconds, response, capacity, received in
        guard let services = unsafe HostServices.at(context), let command = unsafe command,
          let response = unsafe response, let received = unsafe received, capacity >= 0
        else { return ac_status_t(AC_ERR_ARGUMENT) }
        // The plugin keeps both valid during this call (engine.h).
        let bytes = unsafe Span(_unsafeStart: command, count: max(0, count))
        return unsafe services.transmit(
          bytes, milliseconds,
          UnsafeMutableBufferPointer(start: response, count: capacity), received)
      })
  }

  private func transmit(
    _ command: Span<UInt8>, _ milliseconds: UInt32,
    _ response: UnsafeMutableBufferPointer<UInt8>, _ count: UnsafeMutablePointer<Int>
  ) -> ac_status_t {
    guard let tpm else { return ac_status_t(AC_ERR_NOT_FOUND) }
    do throws(TPMDevice.Problem) {
      let answer = try tpm.exchange(
        command, milliseconds: Int32(clamping: milliseconds), limit: response.count)
      for (index, byte) in answer.enumerated() { unsafe response[index] = byte }
      unsafe count.pointee = answer.count
      return ac_status_t(AC_OK)
    } catch {
      setError(error.message)
      return error.status
    }
  }

  /// The name as text, if the store accepts it.
  private func storeName(_ name: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe PluginABI.text(name, limit: 65), FolderStore.isName(text) else {
      setError("a name of the store is 1 to 64 of a-z, 0-9, - and .")
      return nil
    }
    return text
  }

  /// Notes the reason for the plugin, and for the administrator's log.
  private func report(_ failure: Failure) -> ac_status_t {
    setError(failure.message)
    unsafe table.pointee.log(table.pointee.context, ac_log_level_t(AC_LOG_ERROR), failure.message)
    return ac_status_t(AC_ERR_IO)
  }

  private func load(
    _ name: UnsafePointer<CChar>?, _ bytes: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
  ) -> ac_status_t {
    guard let store, let name = unsafe storeName(name), let count = unsafe count, capacity >= 0,
      unsafe bytes != nil || capacity == 0
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    do throws(Failure) {
      guard let file = try store.open(name) else { return ac_status_t(AC_ERR_NOT_FOUND) }
      unsafe count.pointee = file.size
      guard file.size <= capacity else { return ac_status_t(AC_ERR_MEMORY) }
      var filled = 0
      while filled < file.size {
        let more = unsafe read(
          file.descriptor.number, bytes.map { unsafe $0 + filled }, file.size - filled)
        if more > 0 { filled += more }
        if more == 0 { break }
        if more < 0, errno != EINTR { return ac_status_t(AC_ERR_IO) }
      }
      unsafe count.pointee = filled
      return ac_status_t(AC_OK)
    } catch {
      return report(error)
    }
  }

  private func save(
    _ name: UnsafePointer<CChar>?, _ bytes: UnsafePointer<UInt8>?, _ count: Int
  ) -> ac_status_t {
    guard let store, let name = unsafe storeName(name), 0...FolderStore.largestFile ~= count,
      let bytes = unsafe bytes
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    do throws(Failure) {
      // The plugin keeps the bytes valid during this call (engine.h).
      unsafe try store.save(name, Span(_unsafeStart: bytes, count: count))
      return ac_status_t(AC_OK)
    } catch {
      return report(error)
    }
  }

  private func remove(_ name: UnsafePointer<CChar>?) -> ac_status_t {
    guard let store, let name = unsafe storeName(name) else { return ac_status_t(AC_ERR_ARGUMENT) }
    do throws(Failure) {
      try store.remove(name)
      return ac_status_t(AC_OK)
    } catch {
      return report(error)
    }
  }
}
