/** `npm run break -- rehearse`: an incident from its beginning to its end. */
import { createProgram, wholeNumber } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { rehearseIncident } from './rehearse-incident.js';

const program = createProgram(
  'break rehearse',
  `Rehearses an incident with the product as it is deployed: a mail provider is down, and 20,000 jobs die of it. They are found
by their error, a retry is previewed, started too early, undone and started again when the provider is back; then every mail
has arrived once, and the audit tells who did what. It prints a timeline, runs on a PostgreSQL and a mail server of its own,
and leaves nothing behind. Exit code 1: something did not come about.`,
).option('--jobs <n>', 'how many die, 1 to 200000', wholeNumber(1, 200_000), 20_000);

await runProgram(program, () =>
  withFreshDatabase(async (databaseUrl) => {
    const { jobs } = program.opts<{ jobs: number }>();
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    const { deadAfterUndo, retried, arrived, twice } = await rehearseIncident({ databaseUrl, jobs, say });
    const wrong = [
      ...(deadAfterUndo.count < Math.min(jobs, 10_000) ? [`only ${deadAfterUndo.text} were dead behind the undo`] : []),
      ...(retried.done === jobs ? [] : [`${retried.done} of ${jobs} were retried`]),
      ...(arrived === jobs ? [] : [`${arrived} of ${jobs} mails arrived`]),
      ...(twice === 0 ? [] : [`${twice} mails arrived twice`]),
    ];
    say(wrong.length === 0 ? 'Everything came about.' : `What did not come about: ${wrong.join('; ')}.`);
    return wrong.length === 0 ? 0 : 1;
  }),
);
