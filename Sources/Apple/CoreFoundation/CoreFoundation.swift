// In place of the toolchain's own module of this name, whose types do not bridge and whose names
// would be ambiguous beside Security's.

@_exported public import CoreFoundationTypes
