import { catalogVersions, type Catalog, type JobContract } from '@duework/contracts';
import type { Plan, QueueParts } from './plan.js';

/** The contracts that this server has: there is no registry in which workers write theirs. */
export const listContracts = ({ catalog }: QueueParts): Plan => ({
  says: 'Those that this server has; this queue keeps no registry, so that who reads a version is not known.',
  handle(c) {
    const { types } = c.get('principal');
    const known = catalog.filter(({ type }) => types === null || types.includes(type));
    return c.json({
      contracts: known.toSorted((a, b) => (a.type < b.type ? -1 : 1)).map((one) => describe(one, catalog)),
    });
  },
});

function describe(contract: JobContract, catalog: Catalog): object {
  const { type, version, queue, priority, maxAttempts, timeoutMs, leaseMs, retry, defaultPayload } = contract;
  return {
    type,
    defaults: { version, queue, priority, maxAttempts, timeoutMs, leaseMs, retry, payload: defaultPayload ?? null },
    versions: catalogVersions(catalog)
      .filter((one) => one.type === type)
      .toSorted((a, b) => a.version - b.version)
      .map((one) => ({ version: one.version, firstSeenAt: null, payloadSchema: one.schema, workers: null })),
  };
}
