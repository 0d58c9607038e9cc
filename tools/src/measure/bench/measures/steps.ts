import { readTreeCpuMicros } from '../gauges/read-cpu.js';
import { startBenchProcess } from '../processes/start-bench-process.js';
import type { WorkflowVerbs } from '../processes/workflows.js';
import type { Measure, Turn } from './measure.js';

const STEPS = 10;
const LIMIT_MS = 80_000;
const WARM_UP = 50;

/** Workflows of ten steps, and one with very many children; the clients warm up with a few of each. */
export const steps: Measure = {
  name: 'steps',
  group: 'steps',
  figures: [
    {
      key: 'stepsPerSecond',
      title: '1,000 workflows of ten durable steps',
      unit: 'steps/s',
      targets: [{ times: 1.5, of: 'dbos' }],
    },
    { key: 'serverMicros', title: '  CPU of the server per step', unit: 'µs', isLessBetter: true },
    {
      key: 'fanOutMs',
      title: 'A workflow that waits for 1,000 children',
      unit: 'ms',
      isLessBetter: true,
      targets: [{ times: 0.67, of: 'dbos' }],
    },
    { key: 'childMicros', title: '  CPU of the server per child', unit: 'µs', isLessBetter: true },
  ],
  takes: ({ loadWorkflows }) => loadWorkflows !== undefined,
  async run({ system, lab, place, size: { steps: size }, name }: Turn) {
    const server = place.serverPid ?? lab.postgres.pid;
    const runner = startBenchProcess<WorkflowVerbs>({ main: 'workflows', name });
    try {
      await runner.ask('open', { system: system.name, url: place.url });
      await runner.ask('chains', { count: WARM_UP }, LIMIT_MS);
      await runner.ask('fanOut', { children: WARM_UP }, LIMIT_MS);
      const [chains, ofChains] = await measureServer(server, () =>
        runner.ask('chains', { count: size.workflows }, LIMIT_MS),
      );
      const [fan, ofFan] = await measureServer(server, () =>
        runner.ask('fanOut', { children: size.children }, LIMIT_MS),
      );
      const count = size.workflows * STEPS;
      return {
        stepsPerSecond: (count * 1_000) / chains.tookMs,
        serverMicros: ofChains === null ? null : ofChains / count,
        fanOutMs: fan.tookMs,
        childMicros: ofFan === null ? null : ofFan / size.children,
      };
    } finally {
      await runner.ask('stop', {}).catch(() => {});
      await runner.end();
    }
  },
};

/** The answer, and the server's CPU time meanwhile; null where it cannot be read. */
async function measureServer<T>(pid: number, act: () => Promise<T>): Promise<[T, number | null]> {
  const before = readTreeCpuMicros(pid);
  const answer = await act();
  const after = readTreeCpuMicros(pid);
  return [answer, before === null || after === null ? null : after - before];
}
