import type { Catalog, EventContract, SignalContract } from '@duework/contracts';
import type { JobQueue, Transactable } from '@duework/queue-core';
import type { RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { BlockList } from 'node:net';
import type { Authorize } from './access/authorize/authorize.js';
import type { ConsoleLink } from './console/console-link.js';
import type { Principal, Scope } from './access/principal.js';
import type { HttpLog } from './observe/http-log.js';
import type { Metrics } from './observe/create-metrics.js';
import type { SignIn } from './sign-in/sign-in.js';

/** Everything the API consists of; a server makes it, and each test its own. */
export interface ApiParts {
  /** Any client that statements can be sent through. */
  readonly db: Transactable;
  /** A standby of it, of which lists, counts and figures are asked. Absent: `db` is. */
  readonly readDb?: Transactable;
  /** The queue in the same database, through which requests that arrive together share statements. */
  readonly queue: JobQueue;
  /** What is refused because the queue is in no database, or its store cannot do it. Absent: nothing is. */
  readonly refusals?: readonly Refusal[];
  /** Names the database in the log; its password is never shown. undefined: it is not named. */
  readonly databaseUrl: string | undefined;
  /** `required`: the doctor finds a database whose commits wait for no standby. Absent: it does not mind. */
  readonly replicated?: 'required';
  readonly catalog: Catalog;
  /** The signals that it sends. Absent: none. */
  readonly signals?: readonly SignalContract[];
  /** The events that it publishes, beside those to which a type of its catalog subscribes. Absent: none. */
  readonly events?: readonly EventContract[];
  readonly log: HttpLog;
  readonly metrics: Metrics;
  readonly payloadLimitBytes: number;
  /** Says who calls; asked before any route that is not public. */
  readonly authorize: Authorize;
  /** How people get a token for the console. Absent: they show an API key. */
  readonly signIn?: SignIn;
  /** The proxies whose `X-Forwarded-For` is believed. Absent: none. */
  readonly proxies?: BlockList;
  /** What one principal may send to this process. */
  readonly requestsPerMinute: number;
  /** After so many requests with wrong credentials an address gets 429. */
  readonly failuresPerMinute: number;
  /** Bytes of all bodies in hand; one principal may have a quarter. Default: 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Streams, and requests that wait for a job, at once; one principal may have a quarter. Default: 2,000. */
  readonly maxStreams?: number;
  /** The path below which it is mounted, as `checkBasePath` returns it. */
  readonly basePath?: string;
  /** Links of the console that lead elsewhere, as `checkLinks` returns them. */
  readonly consoleLinks?: readonly ConsoleLink[];
  /** It is called over TLS alone, and tells browsers so (HSTS). */
  readonly isBehindTls?: boolean;
  /** Once it returns true, `/readyz` answers 503 and connections are closed after their answer. */
  readonly isStopping: () => boolean;
}

/** An operation that a queue refuses, and why, in a sentence. */
export interface Refusal {
  readonly operation: string;
  readonly why: string;
}

export interface ApiEnv {
  Variables: {
    requestId: string;
    /** The pattern of the route that answers, for log lines and metrics: it has no ids. */
    route: string;
    /** Below which path all of it is; `''` at the root. */
    basePath: string;
    /** Who calls. */
    principal: Principal;
    /** Who calls, asked again after a wait, by the rights it has now. Throws as before the request was answered. */
    authorizeAgain: () => Promise<Principal>;
  };
}

export type ApiContext = Context<ApiEnv>;

/** One endpoint: its description in OpenAPI, and its handler. */
export interface Route {
  readonly doc: RouteConfig;
  /** What its caller has to be allowed to do; `public`: anybody may call it, without a key. */
  readonly scope: Scope | 'public';
  /** The last parameter of its path is all that follows, slashes too. */
  readonly takesRest?: boolean;
  /**
   * A principal that is limited to job types may call it: it sees and changes only jobs of these types. Absent:
   * it is refused, so that a new route is closed to it.
   */
  readonly isForSomeTypes?: true;
  /** A larger body is refused with 413 while it arrives. Absent: the route reads no body. */
  readonly bodyLimitBytes?: number;
  readonly handle: (c: ApiContext) => Response | Promise<Response>;
}
