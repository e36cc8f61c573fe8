import Foundation
import PackagePlugin

/// Lets every file of a target see Security's names, as on Apple's systems, where Foundation brings
/// them along: adds one file to the target that exports the module.
///
/// `plugins: [.plugin(name: "ImportSecurity", package: "authcore")]`, beside the product Security.
@main
struct ImportSecurityPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = context.pluginWorkDirectoryURL.appending(path: "Sources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "ImportSecurity.swift")
    let text = Data("@_exported public import Security\n".utf8)
    // A file that is as it should be keeps its date, so that nothing is built again for it.
    if (try? Data(contentsOf: file)) != text { try text.write(to: file) }
    return [
      .prebuildCommand(
        displayName: "Import Security in \(target.name)",
        executable: URL(filePath: "/bin/true"), arguments: [], outputFilesDirectory: folder)
    ]
  }
}
