/** `npm run check -- monitoring`: the dashboard and the rules of `deploy`, in a real Prometheus. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { installPrometheus } from '../../kit/servers/start-prometheus.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { ruleTestsFile, rulesFile } from './read-expressions.js';
import { runPromtool } from './run-promtool.js';
import { tryMonitoring } from './try-monitoring.js';

const program = createProgram(
  'check monitoring',
  `Runs the tests of the Prometheus rules, and has a real Prometheus read the API and a worker as the example in
deploy/prometheus says: every expression of the dashboard has to have an answer, and every rule to be evaluated.

It needs Prometheus and promtool, and installs them for root on a Debian system. Exit code 1: something is wrong.`,
);

await runProgram(program, async () => {
  cleanUpAtExit();
  installPrometheus();
  runPromtool('check', 'rules', rulesFile);
  runPromtool('test', 'rules', ruleTestsFile);
  process.stdout.write('The tests of the rules pass.\n');
  const dir = mkdtempSync(join(tmpdir(), 'duework-monitoring-'));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    const sentences = await withFreshDatabase((databaseUrl) => tryMonitoring(databaseUrl, dir));
    process.stdout.write(`${sentences.join('\n')}\n`);
  } finally {
    remove();
  }
});
