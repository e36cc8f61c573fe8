/// Makes a keychain of this version one of an older version, which the next request brings forward.
enum OlderSchema {
  /// Before there were classes and groups.
  static let withoutClasses = """
    DROP INDEX itemsByName;
    DROP INDEX itemsByGroup;
    DROP INDEX itemsByIdentifier;
    DROP INDEX itemsByShares;
    ALTER TABLE items DROP COLUMN sharedWith;
    ALTER TABLE items DROP COLUMN rest;
    ALTER TABLE items RENAME COLUMN accessGroup TO application;
    CREATE UNIQUE INDEX itemsByName ON items (service, account, class);
    CREATE INDEX itemsByApplication ON items (application);
    DELETE FROM grdb_migrations WHERE identifier IN ('classes', 'identifiers', 'shares');
    """

  /// And before there were keys, and the enclave was known.
  static let withoutKeys = """
    DROP TABLE enclave;
    DROP TABLE keys;
    DELETE FROM grdb_migrations WHERE identifier IN ('enclave', 'keys');
    """
}
