// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Chores",
  dependencies: [.package(name: "authcore", path: "../..", traits: [])],
  targets: [
    .target(
      name: "ChoreKeeping",
      dependencies: [.product(name: "LocalAuthentication", package: "authcore")]),
    .executableTarget(name: "Chores", dependencies: ["ChoreKeeping"]),
    // On a Mac its place is taken by what AppKit or SwiftUI draw.
    .systemLibrary(name: "CGTK4", pkgConfig: "libadwaita-1"),
    .executableTarget(name: "ChoresWindow", dependencies: ["CGTK4", "ChoreKeeping"]),
    .testTarget(name: "ChoresTests", dependencies: ["ChoreKeeping"]),
  ],
  swiftLanguageModes: [.v6]
)
