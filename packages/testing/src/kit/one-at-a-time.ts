import type { JobContract } from '@duework/contracts';

/** A contract that collects, so that each call gets one run and none is waited for; any other as it is. */
export function oneAtATime<C extends JobContract>(contract: C): C {
  return contract.collect === undefined ? contract : { ...contract, collect: { ...contract.collect, max: 1 } };
}
