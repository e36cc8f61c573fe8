import CGTK
package import Protocol

/// The clipboard of the desktop, for a secret that is removed after a while.
///
/// The content is in ordinary memory of this program, which is wiped when it is freed. Every
/// program of the desktop can read it.
@MainActor
package final class WindowClipboard {
  private let clipboard: ObjectReference
  private var put: ObjectReference?
  private var timer: MainLoop.Timer?

  /// The clipboard of a widget's display.
  package init(of widget: Widget) {
    guard let clipboard = unsafe gtk_widget_get_clipboard(widget.pointer) else {
      preconditionFailure("every display has a clipboard")
    }
    // The display keeps its own reference.
    self.clipboard = unsafe ObjectReference(
      keeping: g_object_ref(UnsafeMutableRawPointer(clipboard))
        .assumingMemoryBound(to: GObject.self))
  }

  /// Puts a text there, and removes it after a while.
  /// - Parameters:
  ///   - text: UTF-8.
  ///   - time: how long it stays.
  ///   - isOver: called afterwards; true if the text was still there, and was removed.
  package func put(
    _ text: borrowing SecretBytes, for time: Duration,
    isOver: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    takeBack()
    guard let provider = unsafe Self.provider(text) else { return }
    let put = unsafe ObjectReference(keeping: provider)
    self.put = put
    unsafe gdk_clipboard_set_content(clipboard.opaque, provider)
    timer = MainLoop.after(time) { [weak self] in
      guard let self else { return }
      isOver(self.takeBack())
    }
  }

  /// Removes the text. Something else that was copied meanwhile stays.
  /// - Returns: whether it was still there.
  @discardableResult
  package func takeBack() -> Bool {
    timer?.cancel()
    timer = nil
    guard let put else { return false }
    self.put = nil
    guard unsafe gdk_clipboard_get_content(clipboard.opaque) == put.as(GdkContentProvider.self)
    else { return false }
    unsafe gdk_clipboard_set_content(clipboard.opaque, nil)
    return true
  }

  /// The text, and a hint that tells clipboard managers to keep no copy.
  private static func provider(
    _ text: borrowing SecretBytes
  ) -> UnsafeMutablePointer<GdkContentProvider>? {
    let hint = Array("secret".utf8)
    var providers = unsafe [
      text.withUnsafeBytes { unsafe provider("text/plain;charset=utf-8", $0) },
      hint.withUnsafeBytes { unsafe provider("x-kde-passwordManagerHint", $0) },
    ]
    // The union owns both.
    return unsafe gdk_content_provider_new_union(&providers, gsize(providers.count))
  }

  private static func provider(
    _ type: String, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeMutablePointer<GdkContentProvider>? {
    let copy = unsafe g_bytes_new(bytes.baseAddress, gsize(bytes.count))
    defer { unsafe g_bytes_unref(copy) }
    return unsafe gdk_content_provider_new_for_bytes(type, copy)
  }

  /// Reads the text. `done` gets it on the main thread; it is empty if there is none.
  package func read(_ done: @escaping @MainActor (borrowing SecretBytes) -> Void) {
    unsafe gdk_clipboard_read_text_async(clipboard.opaque, nil, textRead, Kept(done).retained)
  }
}

/// GLib calls it on the thread of its main context.
private let textRead: GAsyncReadyCallback = { source, result, data in
  guard let source = unsafe source else { return }
  let done = unsafe Kept<@MainActor (borrowing SecretBytes) -> Void>.value(data)
  unsafe releaseKept(data)
  let text = unsafe gdk_clipboard_read_text_finish(OpaquePointer(source), result, nil)
  // Wiped as it is freed.
  defer { unsafe g_free(text) }
  var secret = SecretBytes(count: 0)
  if let text = unsafe text {
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    unsafe secret = SecretBytes(copying: bytes.bindMemory(to: UInt8.self).span)
  }
  MainActor.assumeIsolated { done?(secret) }
}
