import type { JobContract } from '@duework/contracts';
import type { Capabilities } from '../ports/store.js';
import { requireCapability } from '../require-capability.js';

/**
 * Whether a store can keep what contracts promise; its `prepare` asks before anything is claimed.
 *
 * @throws DueworkError `not_supported`, naming what it cannot
 */
export function checkContracts(capabilities: Capabilities, catalog: readonly JobContract[]): void {
  for (const { flow, durable, unique, ...terms } of catalog) {
    if (flow !== null) requireCapability(capabilities, 'flow', 'flow control');
    if (durable) requireCapability(capabilities, 'steps', 'durable');
    if (unique !== null) requireCapability(capabilities, 'unique', 'unique');
    requireTerms(capabilities, terms);
  }
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
