import type { Environment, Prepared } from './environment.js';
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
      const { isOk, words } = await tryOne(next, lab);
      if (!isOk) failed++;
      const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
      process.stdout.write(
        `${next.environment.name}, ${next.client}: ${isOk ? 'ok' : 'FAILED'}${words} (${seconds} s)\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.stdout.write(`${tries.length - failed} of ${tries.length} passed.\n`);
  return failed === 0 ? 0 : 1;
}

interface Result {
  readonly isOk: boolean;
  /** What was told, behind a colon. */
  readonly words: string;
}

/** Whether it was as it has to be. */
async function tryOne({ environment, client, database }: Try, lab: Lab): Promise<Result> {
  let prepared: Prepared | undefined;
  try {
    prepared = await environment.prepare(lab, database);
    const { url, directUrl = url, refusal } = prepared;
    const told = await runScenario({ url, directUrl }, client).then(
      () => null,
      (error: unknown) => (error as Error).message.trim(),
    );
    if (told !== null) return { isOk: refusal?.test(told) ?? false, words: `: ${told}` };
    return { isOk: refusal === undefined, words: refusal === undefined ? '' : ': it was not refused' };
  } catch (error) {
    return { isOk: false, words: `: ${(error as Error).message}` };
  } finally {
    prepared?.close?.();
  }
}
