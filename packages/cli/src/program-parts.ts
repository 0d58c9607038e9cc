import type { KeyRing, Transactable } from '@duework/queue-core';
import type { ShardUrls } from '@duework/shards';
import type { RedisOptions, RedisReencryption } from './operate/reencrypt-in-redis.js';
import type { Operations } from './operations/operations.js';
import type { Look } from './output/look.js';
import type { JobsModule } from './project/jobs-module.js';

/** What the program is given; a function is called when a command first needs what it returns. */
export interface ProgramParts {
  /** Of the package that the program belongs to. */
  readonly version: string;
  /** A client of the database of DATABASE_URL, which is migrated. Throws one line when there is none. */
  readonly db: () => Promise<Transactable>;
  /** The same, migrated or not. */
  readonly anyDb: () => Promise<Transactable>;
  /** SHARDS; undefined: it is not set. Throws one line for a wrong one. */
  readonly shards: () => ShardUrls | undefined;
  /** A client of the database of one of SHARDS, which is migrated. Throws one line for a name that is not there. */
  readonly shardDb: (name: string) => Promise<Transactable>;
  /** A client of any database, whatever is in it. */
  readonly otherDb: (url: string) => Promise<Transactable>;
  /** DUEWORK_API_URL and DUEWORK_API_KEY; undefined: not set. */
  readonly api: () => { readonly url: string | undefined; readonly key: string | undefined };
  /** The key ring of DUEWORK_KEYS; null: it is not set. */
  readonly keyRing: () => KeyRing | null;
  /** Encrypts anew what jobs in the Redis of DUEWORK_REDIS_URL have encrypted with an old key; null: it is not set. */
  readonly reencryptInRedis: (ring: KeyRing, options: RedisOptions) => Promise<RedisReencryption | null>;
  /** REDIS_URL, where BullMQ is; null: it is not set. */
  readonly redisUrl: () => string | null;
  /** Who acts, as others will read it: `command:ana@laptop`. */
  readonly actor: string;
  /** The path of the module of jobs: the one that is `given`, or of the nearest package.json. Throws one line. */
  readonly findJobs: (given: string | undefined) => string;
  /** Loads that module. Throws one line when it cannot. */
  readonly loadJobs: (file: string) => Promise<JobsModule>;
  /**
   * The URL of that database: DATABASE_URL, or the one that runs here; undefined: neither. Throws one line for a wrong
   * one. With a folder: as if the program had been started there.
   */
  readonly databaseUrl: (dir?: string) => string | undefined;
  /** DATABASE_WAIT_MS: for how long a migration waits for that database. Throws one line for a wrong one. */
  readonly databaseWaitMs: () => number;
  /** REPLICATED: the database has to be on another server, too. */
  readonly isReplicated: () => boolean;
  /** DATABASE_URL alone. */
  readonly givenDatabaseUrl: () => string | undefined;
  /** The embedded PostgreSQL that `duework dev` runs here; undefined: none runs, or DATABASE_URL is set. */
  readonly runningDatabaseUrl: () => string | undefined;
  /** The working directory. */
  readonly cwd: string;
  /** Ends the program with this code when the command has ended. */
  readonly exitWith: (code: number) => void;
  /** Calls `listen` for each SIGINT and SIGTERM from now on, which then no longer end the program by themselves. */
  readonly onSignal: (listen: () => void) => void;
  /** The program that runs now: what a child process is started with. */
  readonly self: string;
  /** The answer of a command. */
  readonly write: (text: string) => void;
  /** How that looks. */
  readonly look: Look;
  /** Asks the person at the terminal; undefined: there is none. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Tells people who wait how far a command is. */
  readonly progress: (text: string) => void;
  /** How that looks. */
  readonly progressLook: Look;
  /** The zone in which times are shown unless `--zone` names another. */
  readonly timeZone: string;
  /** The process's clock, for previews without a database. */
  readonly now: () => Date;
}

/** What a command is given: the same, after `--jobs` was read, which an argument of the command replaces. */
export interface CommandParts extends Omit<ProgramParts, 'findJobs'> {
  readonly jobsFile: (given?: string) => string;
  readonly jobs: (given?: string) => Promise<JobsModule>;
  /** On the database, or on the API that --api names. */
  readonly operations: () => Promise<Operations>;
  readonly isOnApi: () => boolean;
  /** --shard; undefined: all of SHARDS, or there are none. */
  readonly shard: () => string | undefined;
}
