// Placeholder so that the package resolves before this module lands.
