import Glibc

/// Does something for each element on all processors.
///
/// - Parameters:
///   - elements: What it is done for.
///   - work: What is done; as many at once as there are processors.
/// - Returns: The results in the order of the elements, whichever was ready first.
/// - Throws: The first error of `work`.
func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ work: @escaping @Sendable (Element) throws -> Result
) async throws -> [Result] {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    let atOnce = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    var results = [Result?](repeating: nil, count: elements.count)
    for (index, element) in elements.enumerated() {
      if index >= atOnce, let (done, result) = try await group.next() { results[done] = result }
      group.addTask { (index, try work(element)) }
    }
    for try await (done, result) in group { results[done] = result }
    return results.compactMap { $0 }
  }
}
