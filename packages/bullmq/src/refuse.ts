import { requireCapability } from '@duework/queue-core/ports';
import { BULLMQ_CAPABILITIES } from './capabilities.js';

/** Throws `not_supported`: a store without that capability is asked for it only by a program that has not looked. */
export async function refuse(
  capability: Parameters<typeof requireCapability>[1],
  asked: Parameters<typeof requireCapability>[2],
): Promise<never> {
  requireCapability(BULLMQ_CAPABILITIES, capability, asked);
  throw new Error(`A queue in Redis does not implement ${asked}.`);
}
