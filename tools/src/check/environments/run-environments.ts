import type { Environment, Prepared } from './environments.js';
import type { Lab } from './lab.js';
import { type ClientName, runScenario } from './run-scenario.js';

const CLIENTS: readonly ClientName[] = ['pg', 'prisma'];
/** Side by side, because most of it waits. */
const LANES = 3;

interface Try {
  readonly environment: Environment;
  readonly client: ClientName;
  readonly database: string;
}

/** Runs the scenario in each environment, and prints a line for each. The exit code. */
export async function runEnvironments(chosen: readonly Environment[], lab: Lab, isQuick: boolean): Promise<number> {
  const tries = chosen.flatMap((environment, nth) =>
    CLIENTS.filter((_, client) => !isQuick || client === nth % CLIENTS.length).map((client): Try => {
      return { environment, client, database: `e${nth}_${client}` };
    }),
  );
  let failed = 0;
  const left = [...tries];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const begunMs = performance.now();
      const problem = await tryOne(next, lab);
      if (problem !== null) failed++;
      const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
      process.stdout.write(`${next.environment.name}, ${next.client}: ${problem ?? 'ok'} (${seconds} s)\n`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.stdout.write(`${tries.length - failed} of ${tries.length} passed.\n`);
  return failed === 0 ? 0 : 1;
}

/** What was wrong; null: it was as it has to be. */
async function tryOne({ environment, client, database }: Try, lab: Lab): Promise<string | null> {
  let prepared: Prepared | undefined;
  try {
    prepared = await environment.prepare(lab, database);
    const { url, directUrl = url, refusal } = prepared;
    const told = await runScenario({ url, directUrl }, client).then(
      () => null,
      (error: unknown) => (error as Error).message,
    );
    if (refusal === undefined) return told && `FAILED: ${told}`;
    if (told !== null && refusal.test(told)) return null;
    return `FAILED: it was not refused as ${String(refusal)}, but ${told ?? 'it worked'}`;
  } catch (error) {
    return `FAILED: ${(error as Error).message}`;
  } finally {
    prepared?.close?.();
  }
}
