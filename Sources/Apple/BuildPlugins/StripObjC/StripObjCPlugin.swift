import Foundation
import PackagePlugin

/// Compiles sources that were written with Objective-C in mind, and that lie unchanged in the folder
/// `Vendor` of a target: generated copies without `@objc` take their place. The manifest excludes
/// `Vendor`; errors and breakpoints name the files there. SwiftPM wants at least one further file in
/// the target.
///
/// `plugins: [.plugin(name: "StripObjC", package: "authcore")]`, `exclude: ["Vendor"]`.
@main
struct StripObjCPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let vendor = target.directoryURL.appending(path: "Vendor")
    let tool = try context.tool(named: "strip-objc")
    guard let files = FileManager.default.enumerator(at: vendor, includingPropertiesForKeys: nil)
    else {
      Diagnostics.error("\(target.name) has no folder Vendor with the sources to be copied")
      return []
    }
    var commands: [Command] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      // Files of several folders may have one name. A copy that is called as its original makes the
      // compiler warn that #fileID names both.
      let name =
        "stripped-" + file.path.dropFirst(vendor.path.count + 1).replacing("/", with: "-")
      let copy = context.pluginWorkDirectoryURL.appending(path: name)
      commands.append(
        .buildCommand(
          displayName: "Make \(name) without @objc", executable: tool.url,
          arguments: [file.path, copy.path], inputFiles: [file], outputFiles: [copy]))
    }
    return commands
  }
}
