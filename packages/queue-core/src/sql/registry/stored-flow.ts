import type { JobContract } from '@duework/contracts';

/** How a type makes the gates of its runs, as `job_definitions` has it. */
export interface StoredFlow {
  readonly flow: readonly object[] | null;
  readonly has_gate_code: boolean;
}

/** The rules as `duework.gates_of` reads them. What is made by code is left out: SQL is refused there. */
export function storedFlow({ flow }: Pick<JobContract, 'flow'>): StoredFlow {
  if (flow === null) return { flow: null, has_gate_code: false };
  const rules = flow.map(({ name, by, units, declared }) => ({
    rule: name,
    ...(Array.isArray(by) ? { by } : {}),
    ...(typeof units === 'function' || units === 1 ? {} : { units }),
    declared,
  }));
  return {
    flow: rules,
    has_gate_code: flow.some(({ by, units }) => typeof by === 'function' || typeof units === 'function'),
  };
}
