/** DBOS Transact: workflows and steps in the same PostgreSQL, started a hundred at once. */
import { importRival } from '../../rivals/import-rival.js';
import type { Adapter, Workflows } from '../system.js';

/** What the benchmark uses of DBOS Transact 5. */
interface DbosModule {
  readonly DBOS: {
    setConfig(config: object): void;
    registerWorkflow<TArgument, TResult>(
      run: (argument: TArgument) => Promise<TResult>,
      options: { readonly name: string },
    ): (argument: TArgument) => Promise<TResult>;
    runStep<TResult>(act: () => Promise<TResult>, options: { readonly name: string }): Promise<TResult>;
    startWorkflow<TArgument, TResult>(
      workflow: (argument: TArgument) => Promise<TResult>,
    ): (argument: TArgument) => Promise<{ getResult(): Promise<TResult> }>;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
  };
}

const STEPS = 10;
const AT_ONCE = 100;
const POOL = 20;

const refuse = (): never => {
  throw new Error('DBOS takes part in the measures of workflows alone.');
};

/** It makes its tables when it is launched. */
export const adapter: Adapter = {
  install: async () => {},
  openProducer: refuse,
  openBusinessProducer: refuse,
  openWorker: refuse,
  openInspector: refuse,
  fill: refuse,
};

export async function openWorkflows(url: string): Promise<Workflows> {
  const { DBOS } = await importRival<DbosModule>('@dbos-inc/dbos-sdk');
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, systemDatabasePoolSize: POOL, logLevel: 'error' });
  const chain = DBOS.registerWorkflow(
    async (n: number) => {
      let sum = n;
      for (let at = 0; at < STEPS; at++) sum = await DBOS.runStep(async () => sum + 1, { name: `step ${at}` });
      return sum;
    },
    { name: 'chain' },
  );
  const child = DBOS.registerWorkflow(async (n: number) => n, { name: 'child' });
  const fan = DBOS.registerWorkflow(
    async (children: number) => {
      const begun = [];
      for (let n = 0; n < children; n++) begun.push(await DBOS.startWorkflow(child)(n));
      return (await Promise.all(begun.map((handle) => handle.getResult()))).length;
    },
    { name: 'fan' },
  );
  await DBOS.launch();
  const run = async <T>(workflow: (argument: number) => Promise<T>, argument: number): Promise<unknown> =>
    (await DBOS.startWorkflow(workflow)(argument)).getResult();
  return {
    async chains(count) {
      let next = 0;
      const one = async (): Promise<void> => {
        while (next < count) await run(chain, next++);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    },
    fanOut: async (children) => void (await run(fan, children)),
    stop: () => DBOS.shutdown(),
  };
}
