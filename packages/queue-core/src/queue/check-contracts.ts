import type { JobContract } from '@duework/contracts';
import type { Capabilities } from '../ports/store.js';
import { requireCapability } from '../require-capability.js';

/**
 * Whether a store can keep what contracts promise; its `prepare` asks before anything is claimed.
 *
 * @throws DueworkError `not_supported`, naming what it cannot
 */
export function checkContracts(capabilities: Capabilities, catalog: readonly JobContract[]): void {
  for (const { flow, durable, unique, expiresAfterMs, retryForMs, onDead, maxWaitMs } of catalog) {
    if (flow !== null) requireCapability(capabilities, 'flow', 'flow control');
    if (durable) requireCapability(capabilities, 'steps', 'durable');
    if (unique !== null) requireCapability(capabilities, 'unique', 'unique');
    if (expiresAfterMs !== null) requireCapability(capabilities, 'terms', 'expiresAfter');
    if (retryForMs !== null) requireCapability(capabilities, 'terms', 'retryFor');
    if (onDead !== null) requireCapability(capabilities, 'terms', 'onDead');
    if (maxWaitMs !== null) requireCapability(capabilities, 'terms', 'maxWait');
  }
}
