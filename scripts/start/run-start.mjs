/**
 * Runs everything, from an empty clone to three programs that answer, and stops it again in the right order: worker,
 * API, mailbox, database.
 *
 * Until the database is started, Ctrl-C ends this process as it would any other. From then on a signal only says that it
 * is time to stop; the step under way is finished, and what was started is stopped. A second signal kills.
 */
import { PlainError } from '../lib/plain-error.mjs';
import { below } from '../lib/paths.mjs';
import { ensureInstalled } from '../lib/ensure-installed.mjs';
import { runTurbo } from '../lib/run-turbo.mjs';
import { checkPorts } from './check-ports.mjs';
import { createPrinter } from './create-printer.mjs';
import { migrate, openDatabase, seed } from './prepare-database.mjs';
import { readSettings, services } from './settings.mjs';
import { startService } from './start-service.mjs';
import { stopServices } from './stop-services.mjs';
import { forgetServices, rememberServices, sweepEarlierStart } from './sweep-earlier-start.mjs';
import { describeAddresses, help } from './texts.mjs';
import { waitUntilReady } from './wait-until-ready.mjs';

/** @returns {Promise<number>} the exit code */
export async function runStart(args) {
  const unknown = args.find((argument) => !['--json', '--help', '-h'].includes(argument));
  if (unknown !== undefined) throw new PlainError(`Unknown option ${unknown}. The options: npm start -- --help`);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  const settings = readSettings(process.env);
  const { pnpmDir } = await ensureInstalled();
  await runTurbo({ task: 'build', label: 'Building', pnpmDir });
  const printer = await createPrinter({ isJson: args.includes('--json') });
  await sweepEarlierStart(printer.say);
  await checkPorts(
    services.flatMap(({ ports }) => ports).map((variable) => ({ variable, port: settings.ports[variable] })),
  );
  return runUntilStopped(settings, printer);
}

async function runUntilStopped(settings, printer) {
  const { say } = printer;
  const running = [];
  let database;
  let signals = 0;
  let onStop;
  const stopped = new Promise((resolve) => (onStop = resolve));
  const isStopping = () => signals > 0;
  const onSignal = () => {
    signals += 1;
    if (signals === 1) {
      say('\nStopping; once more to stop at once.');
      onStop();
      return;
    }
    for (const service of running) service.stop('SIGKILL');
    database?.stopNow();
    forgetServices();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  // A terminal that is closed, or `| head`, must not keep the rest from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => signals === 0 && onSignal());

  try {
    database = await openDatabase(settings, say);
    const env = { ...settings.env, DATABASE_URL: database.url };
    if (!isStopping()) await migrate(database.url, say);
    if (!isStopping()) await seed(env);
    if (!isStopping()) await startAll(running, env, settings, printer, isStopping);
    if (!isStopping()) say(describeAddresses({ ports: settings.ports, database }));
    await Promise.race([stopped, firstDeath(running)]);
    return 0;
  } catch (error) {
    // Ctrl-C also reaches what is being run for a step, such as initdb, whose failure is then no news.
    if (!isStopping()) throw error;
    return 0;
  } finally {
    await stopServices(running, say);
    forgetServices();
    if (database?.isEmbedded) say('Stopping PostgreSQL …');
    await database?.stop();
  }
}

async function startAll(running, env, settings, printer, isStopping) {
  for (const service of services) running.push(startService(service, env, printer.open(service.name)));
  rememberServices(running);
  const ready = running.map(({ name, ports }) =>
    waitUntilReady(name, `http://127.0.0.1:${settings.ports[ports[0]]}/readyz`, isStopping),
  );
  await Promise.race([Promise.all(ready), firstDeath(running)]);
}

/** Rejects when a program ends although nobody asked it to. */
function firstDeath(running) {
  return Promise.race(
    running.map(async ({ name, exited, output }) => {
      const { how } = await exited;
      const tail = output.tail().map((line) => `  ${line}`);
      throw new PlainError(
        `${tail.join('\n')}\nThe ${name} ended by itself (${how}). Its log: ${below(output.path)}`.trimStart(),
      );
    }),
  );
}
