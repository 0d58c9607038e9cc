import { BlockList } from 'node:net';
import type { ApiContext, ApiParts } from '../api.js';
import type { Caller } from './authorize/authorize.js';
import { callerOf } from './authorize/caller-of.js';
import type { Principal } from './principal.js';

const CHECK_EVERY_MS = 2_000;

/** Streams that were opened with the same credentials. */
interface Opened {
  /** The first request, without what only its answer needs. */
  readonly request: Request;
  readonly caller: Caller;
  readonly principal: Principal;
  readonly ends: Set<() => void>;
  isAsked: boolean;
}

/**
 * Ends streams when those who opened them may no longer have them: a key was revoked, or a token has expired. Whoever still
 * may comes again, and misses nothing. Credentials are checked once for all of their streams.
 */
export class AccessWatch {
  readonly #opened = new Map<string, Opened>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: Pick<ApiParts, 'authorize' | 'proxies'>) {}

  /** Returns what a stream calls at its end. */
  enter(c: ApiContext, end: () => void): () => void {
    const { url, headers } = c.req.raw;
    const principal = c.get('principal');
    const key = JSON.stringify([
      principal.name,
      rightsOf(principal),
      headers.get('authorization'),
      headers.get('cookie'),
    ]);
    const opened = this.#opened.get(key) ?? {
      request: new Request(url, { headers: new Headers(headers) }),
      caller: callerOf(c, this.parts.proxies ?? new BlockList()),
      principal,
      ends: new Set(),
      isAsked: false,
    };
    this.#opened.set(key, opened);
    opened.ends.add(end);
    this.#timer ??= setInterval(() => this.#checkAll(), CHECK_EVERY_MS);
    return () => {
      opened.ends.delete(end);
      if (opened.ends.size === 0 && this.#opened.get(key) === opened) this.#opened.delete(key);
      if (this.#opened.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #checkAll(): void {
    for (const opened of this.#opened.values()) if (!opened.isAsked) void this.#check(opened);
  }

  async #check(opened: Opened): Promise<void> {
    opened.isAsked = true;
    if (!(await this.#isStill(opened))) for (const end of [...opened.ends]) end();
    opened.isAsked = false;
  }

  /** Where it cannot be asked, nothing new is read for the stream either. */
  async #isStill({ request, caller, principal }: Opened): Promise<boolean> {
    try {
      const now = await this.parts.authorize(request, caller);
      return now !== null && !('code' in now) && rightsOf(now) === rightsOf(principal);
    } catch {
      return true;
    }
  }
}

const rightsOf = ({ scopes, types }: Principal): string => JSON.stringify([scopes, types]);
