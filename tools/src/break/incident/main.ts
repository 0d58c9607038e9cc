/** `npm run break -- incident <name>`: one trouble of an on-call night, to practise on, or played. */
import { Argument } from 'commander';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { incidents } from './incidents.js';
import { runIncident } from './run-incident.js';

const names = Object.keys(incidents);
const width = Math.max(...names.map((name) => name.length));
const program = createProgram(
  'break incident',
  `Brings a trouble about in a shop of its own: an API, workers, a mail provider, a pager, on a PostgreSQL of its own. You find
it with the console and the commands, mend it, and it says whether it is over; docs/how-to/first-night.md tells how. With
--play it does all of that itself, and checks that each command shows what the docs say; with --clicks it does it with the mouse,
in Chromium. It leaves nothing behind. Exit code 1: something was not as it has to be.`,
)
  .usage('[name] [--play | --clicks]')
  .addArgument(new Argument('[name]', 'one of those below; played: all of them unless given').choices(names))
  .option('--play', 'plays whoever is on call, too, with the commands')
  .option('--clicks', 'plays with the mouse, in the console in Chromium')
  .option('--pictures <folder>', 'with --clicks: keeps pictures of what is seen, on a desk and on a phone')
  .addHelpText('after', `\n${names.map((name) => `  ${name.padEnd(width)}  ${incidents[name]!.wrong}`).join('\n')}`);

await runProgram(program, async () => {
  const { play: isPlayed, clicks, pictures } = program.opts<{ play?: true; clicks?: true; pictures?: string }>();
  const play = clicks ? 'clicks' : isPlayed ? 'commands' : null;
  const [given] = program.args;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (given === undefined && play === null) return program.outputHelp();
  let code = 0;
  const all = names.filter((name) => play !== 'clicks' || typeof incidents[name]!.click !== 'string');
  for (const name of given === undefined ? all : [given]) {
    // a server that is not durable would be the first thing that the overview tells
    const { left } = await withFreshDatabase(
      (databaseUrl) => runIncident({ databaseUrl, name, incident: incidents[name]!, play, pictures, say }),
      { isDurable: true },
    );
    if (left.length > 0) code = 1;
  }
  return code;
});
