/** Reads the environment for this package's one program; no other file here does. */
export interface Env {
  readonly databaseUrl: string | undefined;
  /** `DEBUG=1`: show whole errors. */
  readonly isDebug: boolean;
}

export const readEnv = (): Env => ({
  databaseUrl: process.env['DATABASE_URL'],
  isDebug: (process.env['DEBUG'] ?? '') !== '',
});
