import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { startPrometheus, type StartedPrometheus } from '../../kit/servers/start-prometheus.js';
import { waitUntil } from '../../kit/wait-until.js';
import { readPanelExpressions, readRules, type Expression } from './read-expressions.js';
import { runPromtool } from './run-promtool.js';
import { startScraped, type Scraped } from './start-scraped.js';
import { writeConfig } from './write-config.js';

const LIMIT_MS = 60_000;
/** Expressions that show what is not zero only may have nothing to show. */
const SHOWS_TROUBLE_ONLY = /> 0$/;

/**
 * Has a real Prometheus read the API and a worker as the example of its configuration says, and asks it for everything
 * that the dashboard asks for; then a pause ends and the worker stops, and the rules about that have to become pending.
 *
 * @returns sentences about what was tried
 */
export async function tryMonitoring(databaseUrl: string, dir: string): Promise<string[]> {
  const scraped = await startScraped(databaseUrl);
  try {
    const config = writeConfig(dir, scraped);
    runPromtool('check', 'config', config);
    const prometheus = await startPrometheus(config, dir);
    try {
      await waitForTargets(prometheus);
      const expressions = readPanelExpressions();
      await waitForAnswers(prometheus, scraped, expressions);
      await waitForRules(prometheus);
      await checkPause(prometheus, scraped);
      await scraped.stopWorker();
      await waitForState(prometheus, 'DueworkNoWorker', ['pending', 'firing']);
      return [
        'Prometheus reads the API, with a key, and a worker.',
        `All ${expressions.length} expressions of the dashboard have an answer.`,
        'What is paused does not raise DueworkJobsWait, and does once it is resumed.',
        'Without a worker DueworkNoWorker is raised.',
      ];
    } finally {
      await prometheus.stop();
    }
  } finally {
    await scraped.stop();
  }
}

async function waitForTargets(prometheus: StartedPrometheus): Promise<void> {
  interface Targets {
    readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
  }
  let last = '';
  await waitUntil('Prometheus did not read both programs', async () => {
    const { activeTargets: targets } = await prometheus.ask<Targets>('targets');
    last = targets.map(({ lastError }) => lastError).join(' ');
    return targets.length === 2 && targets.every(({ health }) => health === 'up');
  }).catch((error: Error) => Promise.reject(new PlainError(`${error.message} ${last}`)));
}

async function waitForAnswers(
  prometheus: StartedPrometheus,
  scraped: Scraped,
  expressions: readonly Expression[],
): Promise<void> {
  let silent: Expression[] = [];
  const isAnswered = async ({ where, expr }: Expression): Promise<boolean> => {
    const { result } = await prometheus
      .ask<{ result: readonly unknown[] }>('query', { query: expr })
      .catch((error: Error) => Promise.reject(new PlainError(`${where}: ${error.message}`)));
    return result.length > 0 || SHOWS_TROUBLE_ONLY.test(expr);
  };
  await waitUntil(
    'There was no answer',
    async () => {
      await scraped.work();
      const answered = await Promise.all(expressions.map(isAnswered));
      silent = expressions.filter((_, index) => !answered[index]);
      return silent.length === 0;
    },
    { limitMs: LIMIT_MS, everyMs: 500 },
  ).catch((error: Error) => {
    throw new PlainError(`${error.message}\n${silent.map(({ where, expr }) => `${where}: ${expr}`).join('\n')}`);
  });
}

interface RuleState {
  readonly name: string;
  readonly health: string;
  readonly state: string;
  readonly lastError?: string;
  readonly lastEvaluation: string;
}

async function readStates(prometheus: StartedPrometheus): Promise<readonly RuleState[]> {
  const { groups } = await prometheus.ask<{ groups: readonly { readonly rules: readonly RuleState[] }[] }>('rules');
  return groups.flatMap(({ rules }) => rules);
}

async function waitForRules(prometheus: StartedPrometheus): Promise<void> {
  const count = readRules().length;
  await waitUntil('Prometheus did not evaluate every rule', async () => {
    const states = await readStates(prometheus);
    const broken = states.find(({ health }) => health === 'err');
    if (broken !== undefined) throw new PlainError(`rule ${broken.name}: ${broken.lastError}`);
    return states.length === count && states.every(({ health }) => health === 'ok');
  });
}

async function waitForState(prometheus: StartedPrometheus, name: string, states: readonly string[]): Promise<void> {
  await waitUntil(`${name} was not ${states.join(' or ')}`, async () =>
    (await readStates(prometheus)).some((rule) => rule.name === name && states.includes(rule.state)),
  );
}

/** An hour's wait of a paused job is in what Prometheus has read by now: it must not raise the alert about waiting. */
async function checkPause(prometheus: StartedPrometheus, scraped: Scraped): Promise<void> {
  const readRule = async (): Promise<RuleState> =>
    (await readStates(prometheus)).find(({ name }) => name === 'DueworkJobsWait')!;
  const before = (await readRule()).lastEvaluation;
  await waitUntil('The rules were not evaluated again', async () => (await readRule()).lastEvaluation !== before);
  const { state } = await readRule();
  if (state !== 'inactive') throw new PlainError(`DueworkJobsWait is ${state} by a job that is paused.`);
  await scraped.resume();
  await waitForState(prometheus, 'DueworkJobsWait', ['pending', 'firing']);
}
