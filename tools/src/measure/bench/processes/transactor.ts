/**
 * A process that writes a business row in a transaction of a plain Prisma client, as a user's API does, and enqueues
 * one job with it.
 */
import type { PrismaClient } from '@duework/database';
import { serveParent } from '../../../kit/serve-parent.js';
import { makePayload } from '../measures/enqueue-backlog.js';
import { loadAdapter } from '../systems/list-systems.js';
import { openPlainPrisma } from '../systems/open-plain-prisma.js';
import type { BusinessProducer, SystemName } from '../systems/system.js';
import { callFor, type CallForOptions, type CallRate } from './call-for.js';
import type { VerbsOf } from './start-bench-process.js';

const FIRST_CALLS = 40;

/** Which job goes with the business row. */
export type BusinessJob = 'none' | 'plain' | 'keyed';

export interface TransactorVerbs {
  open(facts: { readonly system: SystemName; readonly url: string; readonly ordersUrl: string }): Promise<void>;
  call(facts: CallForOptions & { readonly job: BusinessJob }): Promise<CallRate>;
  close(facts: object): Promise<void>;
}

interface Opened {
  readonly prisma: PrismaClient;
  readonly producer: BusinessProducer;
}

let opened: Opened | null = null;
let lastId = 0;

/** One transaction with the business row, and its job in it or after it. */
async function transact(job: BusinessJob): Promise<void> {
  if (opened === null) throw new Error('The transactor is not open.');
  const { prisma, producer } = opened;
  const payload = makePayload((lastId += 1));
  const options = { isKeyed: job === 'keyed' };
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO bench_orders (customer, cents) VALUES (${`customer ${payload.id}`}, ${4_200})`;
    if (job !== 'none' && 'enqueueIn' in producer) await producer.enqueueIn(tx, payload, options);
  });
  if (job !== 'none' && 'enqueueAfter' in producer) await producer.enqueueAfter(payload, options);
}

const verbs: TransactorVerbs & VerbsOf<TransactorVerbs> = {
  async open({ system, url, ordersUrl }) {
    const producer = await (await loadAdapter(system)).openBusinessProducer(url);
    opened = { producer, prisma: openPlainPrisma(ordersUrl) };
    // the first calls open connections, and let Node compile
    for (const job of ['none', 'plain', 'keyed'] as const)
      await Promise.all(Array.from({ length: FIRST_CALLS }, () => transact(job)));
  },
  call: ({ job, ...options }) => callFor(options, () => transact(job)),
  close: async () => void (await Promise.all([opened?.prisma.$disconnect(), opened?.producer.close()])),
};

serveParent({ ...verbs }, { isFailureTold: true });
