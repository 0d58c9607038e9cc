/** `npm run break -- alerts`: each alert is told to begin and to be over once, whoever is killed meanwhile. */
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { judgeEpisodes } from './judge-episodes.js';
import { runEpisodes } from './run-episodes.js';

const program = createProgram(
  'break alerts',
  `Starts two APIs that look for alerts, on a PostgreSQL of its own, and a witness outside, which answers every third post with
an error. Every 20 seconds something else begins to be wrong, and is mended after one to three minutes; every 40 seconds an API
is killed, or every session of the database is. Exit code 1: an alert was not told to begin and to be over once each, or
something was told that was not so.`,
).option('--minutes <n>', 'how long things go wrong; some minutes more until all is over', '10');

await runProgram(program, async () => {
  const minutes = Number(program.opts<{ minutes: string }>().minutes);
  if (!(minutes >= 1 && minutes <= 600)) throw new Error('--minutes is a number from 1 to 600.');
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const told = await withFreshDatabase((url) => runEpisodes(url, minutes * 60_000, say), { isDurable: true });
  const { faults, sentence } = judgeEpisodes(told);
  for (const fault of faults) say(fault);
  say(sentence);
  return faults.length === 0 ? 0 : 1;
});
