import { DueworkError, type AskedFor } from '@duework/sql/errors';
import type { Capabilities } from './ports/store.js';

/** Throws `not_supported` where the store cannot do what `asked` needs. */
export function requireCapability(capabilities: Capabilities, capability: keyof Capabilities, asked: AskedFor): void {
  if (!capabilities[capability]) throw new DueworkError('not_supported', { asked, capability });
}

/** What may be agreed for a run, and what its caller knows it as. */
const TERMS = {
  expiresAfterMs: 'expiresAfter',
  retryForMs: 'retryFor',
  onDead: 'onDead',
  maxWaitMs: 'maxWait',
} as const;
type Terms = { readonly [T in keyof typeof TERMS]?: unknown };

/** Refuses what the store would ignore of what is agreed. Throws `not_supported`. */
export function requireTerms(capabilities: Capabilities, terms: Terms): void {
  if (capabilities.terms) return;
  for (const term of Object.keys(TERMS) as (keyof typeof TERMS)[])
    if ((terms[term] ?? null) !== null) requireCapability(capabilities, 'terms', TERMS[term]);
}
