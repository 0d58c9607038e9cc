import { resolve } from 'node:path';
import { z } from 'zod';

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port from 0 to 65535 (0: any free port)')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port from 0 to 65535 (0: any free port)')
    .default(fallback);

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Nobody signs in to a mailbox, so that it is for its own machine alone. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const schema = z.object({
  HOST: z
    .string()
    .regex(LOOPBACK, 'must be 127.0.0.1, ::1 or localhost, because anybody who reaches the mailbox reads its mails')
    .default('127.0.0.1'),
  MAILBOX_PORT: port(4602),
  SMTP_PORT: port(4625),
  MAILBOX_DIR: z
    .string()
    .default('.duework/mailbox')
    .transform((dir) => resolve(dir)),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
});

export type Env = z.infer<typeof schema>;

export type EnvReading =
  | { readonly ok: true; readonly env: Env }
  | { readonly ok: false; readonly lines: readonly string[] };

/**
 * Reads the environment; no other file does. A variable that is set to nothing counts as not set. When a variable is
 * wrong, returns one readable line for each, for the caller to print.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, env: parsed.data };
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${name} ${message}, but it is ${JSON.stringify(given[name])}`;
  });
  return { ok: false, lines: [...new Set(lines)] };
}
