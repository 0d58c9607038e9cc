/** The only place of this package that reads the environment, for its one program. */
export interface Env {
  readonly databaseUrl: string | undefined;
  /** `DEBUG=1`: show whole errors. */
  readonly isDebug: boolean;
}

export const readEnv = (): Env => ({
  databaseUrl: process.env['DATABASE_URL'],
  isDebug: (process.env['DEBUG'] ?? '') !== '',
});
