/** The URL of a database of the embedded server; the password has hexadecimal digits only. */
export const databaseUrl = (port: number, password: string, database: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
