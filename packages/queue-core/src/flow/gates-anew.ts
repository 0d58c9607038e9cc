import { readPayload, type FlowRule, type JobContract } from '@duework/contracts';
import type { ClaimedRun } from '../ports/runs.js';
import { unsealPayload } from '../secrets/unseal-payload.js';
import { gatesOf, keyOf, type Gates } from './gates-of.js';

/** What a run is that was enqueued by other rules. */
export type Stored = Pick<ClaimedRun, 'version' | 'queue' | 'payload'>;

/**
 * The gates that a contract makes of a stored run; null: none. `isWhole` is false where its payload cannot be read here,
 * which makes none, so that a worker that can read it makes them before its handler begins; and where it has no usable
 * value for a rule, which counts as a missing one.
 */
export function gatesAnew(
  contract: JobContract,
  { version, queue, payload }: Stored,
): { readonly made: Gates | null; readonly isWhole: boolean } {
  if (contract.flow === null) return { made: null, isWhole: true };
  const read = readStored(contract, version, payload);
  if (read === null) return { made: null, isWhole: false };
  try {
    return { made: gatesOf(contract, read.data, queue), isWhole: true };
  } catch {
    const flow = contract.flow.map((rule) => ({ ...rule, units: 1, by: usableBy(contract.type, rule, read.data) }));
    return { made: gatesOf({ ...contract, flow }, read.data, queue), isWhole: false };
  }
}

function readStored(contract: JobContract, version: number, payload: unknown): { readonly data: unknown } | null {
  try {
    const reading = readPayload(contract, version, unsealPayload(contract, version, payload));
    return reading.success ? reading : null;
  } catch {
    return null;
  }
}

function usableBy(type: string, rule: FlowRule, payload: unknown): FlowRule['by'] {
  try {
    keyOf(type, rule, payload);
    return rule.by;
  } catch {
    return () => undefined;
  }
}

/**
 * Whether a claimed run has the gates of its contract, as far as can be seen without parsing its payload: by the names of
 * their rules and, in the version of the contract, by the values at their paths.
 */
export function hasGatesOf({ type, flow, queue: own, version }: JobContract, run: ClaimedRun): boolean {
  const { gates } = run;
  if (flow === null) return gates === null;
  if (gates === null || gates.length !== flow.length) return false;
  return flow.every((rule, place) => {
    const name = rule.kind === 'tenant' && run.queue !== own ? `tenant/${run.queue}` : rule.name;
    const gate = gates[place]!;
    if (rule.by === null) return gate === name;
    if (!gate.startsWith(`${name}/`)) return false;
    if (typeof rule.by === 'function' || run.version !== version) return true;
    try {
      return gate === keyOf(type, { ...rule, name }, run.payload);
    } catch {
      return false;
    }
  });
}
