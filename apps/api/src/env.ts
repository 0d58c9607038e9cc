import { BlockList, isIP } from 'node:net';
import { DATABASE_WAIT_MS, DatabaseError, parseDatabaseUrl, readPgVariables } from '@duework/database';
import { checkAddress, checkLinks, findFixedParameter, isLoopback, type ConsoleLink } from '@duework/http';
import { isGrantedScope } from '@duework/operate';
import { DEFAULT_PAYLOAD_LIMIT_BYTES, parseKeyRing } from '@duework/queue-core';
import { parseShardUrls, type ShardUrls } from '@duework/shards';
import { z } from 'zod';

const wholeNumber = (min: number, max: number, fallback: number) => {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected)
    .default(fallback);
};

const SWITCH = ['on', 'off'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const isSafeAddress = (text: string): boolean => {
  try {
    return checkAddress(text) !== null;
  } catch {
    return false;
  }
};

const roles = z.string().transform((text, context): Record<string, string[]> => {
  const pairs = text.split(';').map((part) => part.trim().split('='));
  const isRight = pairs.every(
    ([role, scopes, more]) =>
      role !== '' && more === undefined && scopes?.split(',').every((scope) => isGrantedScope(scope.trim())),
  );
  if (!isRight) context.addIssue('must be role=scope,scope;role=scope, such as viewer=read;operator=read,operate');
  return Object.fromEntries(pairs.map(([role, scopes = '']) => [role, scopes.split(',').map((scope) => scope.trim())]));
});

const links = z.string().transform((text, context): readonly ConsoleLink[] => {
  try {
    return checkLinks(JSON.parse(text) as readonly ConsoleLink[]);
  } catch (error) {
    context.addIssue(`is wrong. ${(error as Error).message}`);
    return [];
  }
});

const networks = z.string().transform((text, context): BlockList => {
  const list = new BlockList();
  for (const part of text.split(',')) {
    const [address = '', bits, more] = part.trim().split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const length = bits === undefined ? longest : Number(/^\d{1,3}$/.test(bits) ? bits : NaN);
    if (version === 0 || more !== undefined || !(length <= longest)) {
      context.addIssue('must be addresses or networks with commas between them, such as 10.0.0.0/8,192.0.2.1');
      return list;
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
});

const schema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    /** 0: any free port. */
    API_PORT: wholeNumber(0, 65_535, 4600),
    DATABASE_URL: z
      .string(
        'is not set. Set it to postgres://USER:PASSWORD@HOST:5432/DATABASE, or set PGHOST, PGUSER, PGPASSWORD and PGDATABASE',
      )
      .superRefine((url, context) => {
        try {
          parseDatabaseUrl(url);
        } catch (error) {
          context.addIssue(`is wrong. ${DatabaseError.is(error) ? error.message : String(error)}`);
        }
      }),
    /** How long it waits at its start for a database that is not there yet, or is not migrated; 0: not at all. */
    DATABASE_WAIT_MS: wholeNumber(0, 86_400_000, DATABASE_WAIT_MS),
    /** A standby, of which lists, counts and figures are asked. */
    READ_DATABASE_URL: z
      .string()
      .optional()
      .superRefine((url, context) => {
        try {
          if (url !== undefined) parseDatabaseUrl(url);
        } catch (error) {
          context.addIssue(`is wrong. ${DatabaseError.is(error) ? error.message : String(error)}`);
        }
      }),
    /** Several databases, `a=postgres://… b=postgres://…`; the shop's own tables are in the first, which is that of DATABASE_URL. */
    SHARDS: z
      .string()
      .optional()
      .transform((text, context): ShardUrls | undefined => {
        try {
          return text === undefined ? undefined : parseShardUrls(text);
        } catch (error) {
          context.addIssue(`is wrong. ${(error as Error).message}`);
          return undefined;
        }
      }),
    /**
     * `redis://…` or `rediss://…`: the dedicated queue in this Redis has an API of its own, below /queue-redis, and
     * the shop's receipts.
     */
    DUEWORK_REDIS_URL: z
      .string()
      .regex(
        /^rediss?(\+cluster)?:\/\/[^/\s]+/,
        'must be redis://HOST:PORT or rediss://USER:PASSWORD@HOST:PORT, of a cluster redis+cluster://HOST:PORT,HOST:PORT',
      )
      .optional(),
    DUEWORK_REDIS_PREFIX: z
      .string()
      .regex(/^[^:\s]{1,100}$/, 'must be 1 to 100 characters without spaces and colons')
      .optional(),
    /** required: it starts only where its commits wait for a standby. */
    REPLICATED: z.literal('required', 'must be required, or left out').optional(),
    /** off, for development: requests from this machine need no key, and no other address may be listened on. */
    API_KEYS: z.enum(SWITCH, 'must be on or off').default('on'),
    NODE_ENV: z.string().default(''),
    /** on, for development: the shop has a page whose buttons make trouble. */
    SHOP_TROUBLE: z.enum(SWITCH, 'must be on or off').default('off'),
    /** on: orders come in to that shop by themselves, until its page is told to stop them. */
    SHOP_ORDERS: z.enum(SWITCH, 'must be on or off').default('off'),
    /** Of the mailbox's own page, which that page asks to refuse mails. */
    MAILBOX_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// address' }).default('http://127.0.0.1:4602'),
    /** Tokens of people: the issuer as its tokens name it. */
    OIDC_ISSUER: z.string().refine(isSafeAddress, 'must be an https:// address').optional(),
    OIDC_AUDIENCE: z.string().optional(),
    OIDC_ROLES_CLAIM: z.string().default('roles'),
    /** What each role may do: viewer=read;operator=read,payloads,operate */
    OIDC_ROLES: roles.default({}),
    /** People sign in to the console with it: under which name the issuer knows this API, and its secret where it has one. */
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_SCOPE: z
      .string()
      .refine((text) => text.split(' ').includes('openid'), 'must have openid in it')
      .default('openid email'),
    /** What the issuer wants besides, to give a token for this API: audience=duework&prompt=login */
    OIDC_PARAMETERS: z
      .string()
      .transform((text) => Object.fromEntries(new URLSearchParams(text)))
      .default({}),
    /** Of one key or person, to this process. */
    REQUESTS_PER_MINUTE: wholeNumber(1, 100_000_000, 60_000),
    /** Bytes of bodies, and streams, in hand at once; one key or person has a quarter. */
    MAX_BODY_BYTES: wholeNumber(1, 999_999_999, 64 * 1024 * 1024),
    MAX_STREAMS: wholeNumber(1, 1_000_000, 2_000),
    /** With wrong credentials, of one address. */
    FAILURES_PER_MINUTE: wholeNumber(1, 1_000_000, 60),
    /** Addresses or networks whose X-Forwarded-For is believed. */
    TRUSTED_PROXIES: networks.default(() => new BlockList()),
    /** on: browsers are told to come over TLS alone. */
    BEHIND_TLS: z.enum(SWITCH, 'must be on or off').default('off'),
    /** Links of the console that lead elsewhere, as JSON: [{"words":"Logs","href":"https://logs/?job={id}","where":"job"}] */
    CONSOLE_LINKS: links.default([]),
    LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
    /** At most as large as a whole batch. */
    PAYLOAD_LIMIT_BYTES: wholeNumber(1, 16 * 1024 * 1024, DEFAULT_PAYLOAD_LIMIT_BYTES),
    /** The keys of sensitive values, `k2:<base64>,k1:<base64>`. */
    DUEWORK_KEYS: z
      .string()
      .optional()
      .transform((text, context) => {
        try {
          return parseKeyRing(text);
        } catch (error) {
          context.addIssue(`is wrong. ${(error as Error).message}`);
          return null;
        }
      }),
    DATABASE_POOL_SIZE: wholeNumber(1, 1_000, 10),
  })
  .superRefine((env, context) => {
    const refuse = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
    if (env.API_KEYS === 'off' && !isLoopback(env.HOST))
      refuse(
        'API_KEYS',
        `cannot be off while HOST is ${env.HOST}: anybody who can connect could do everything. Leave API_KEYS out and make a key with npx duework keys create, or set HOST=127.0.0.1`,
      );
    if (env.API_KEYS === 'off' && env.NODE_ENV === 'production')
      refuse('API_KEYS', 'cannot be off while NODE_ENV is production: it is for development alone. Leave API_KEYS out');
    if (env.SHARDS !== undefined && env.READ_DATABASE_URL !== undefined)
      refuse('READ_DATABASE_URL', 'goes with one database: leave it out, or SHARDS');
    if (env.SHARDS !== undefined && env.DUEWORK_REDIS_URL !== undefined)
      refuse(
        'DUEWORK_REDIS_URL',
        'goes with one database, in which the shop places its orders: leave it out, or SHARDS',
      );
    if (env.SHARDS !== undefined && Object.values(env.SHARDS)[0] !== env.DATABASE_URL)
      refuse('SHARDS', 'does not begin with the database of DATABASE_URL, in which the tables of the shop are');
    if (env.SHOP_TROUBLE === 'on' && env.API_KEYS !== 'off')
      refuse(
        'SHOP_TROUBLE',
        'cannot be on while API_KEYS is on: it kills the worker, and is for development on this machine alone. Leave SHOP_TROUBLE out',
      );
    if (env.SHOP_ORDERS === 'on' && env.SHOP_TROUBLE !== 'on')
      refuse('SHOP_ORDERS', 'cannot be on while SHOP_TROUBLE is off: it is for the same demonstration');
    if ((env.OIDC_ISSUER === undefined) !== (env.OIDC_AUDIENCE === undefined))
      refuse(
        env.OIDC_ISSUER === undefined ? 'OIDC_ISSUER' : 'OIDC_AUDIENCE',
        'is not set: OIDC_ISSUER and OIDC_AUDIENCE are set together',
      );
    if (env.OIDC_CLIENT_ID !== undefined && env.OIDC_ISSUER === undefined)
      refuse('OIDC_CLIENT_ID', 'is for people who sign in at an issuer: set OIDC_ISSUER and OIDC_AUDIENCE, too');
    if (env.OIDC_CLIENT_SECRET !== undefined && env.OIDC_CLIENT_ID === undefined)
      refuse('OIDC_CLIENT_ID', 'is not set: it belongs to OIDC_CLIENT_SECRET');
    const fixed = findFixedParameter(env.OIDC_PARAMETERS);
    if (fixed !== undefined) refuse('OIDC_PARAMETERS', `cannot have ${fixed}, which is part of the protocol`);
  });

export type Env = z.infer<typeof schema>;

export type EnvReading =
  | { readonly ok: true; readonly env: Env }
  | { readonly ok: false; readonly lines: readonly string[] };

/** Never shown, because its value may hold a password. */
const SECRET = new Set([
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'SHARDS',
  'DUEWORK_REDIS_URL',
  'DUEWORK_KEYS',
  'OIDC_CLIENT_SECRET',
]);

/**
 * Reads the environment; no other file does, but for PGHOST and its siblings, which stand for DATABASE_URL. A variable
 * that is set to nothing counts as not set. When a variable is wrong, returns one readable line for each, for the
 * caller to print.
 */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): EnvReading {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = schema.safeParse({ DATABASE_URL: readPgVariables(source), ...given });
  if (parsed.success) return { ok: true, env: parsed.data };
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return SECRET.has(name) || given[name] === undefined
      ? `${name} ${message}`
      : `${name} ${message}, but it is ${JSON.stringify(given[name])}`;
  });
  return { ok: false, lines: [...new Set(lines)] };
}
