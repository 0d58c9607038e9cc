import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import { pino } from 'pino';
import type { SMTPServer } from 'smtp-server';
import { readClock } from './clock.js';
import { createApp } from './create-app.js';
import { createMailbox } from './create-mailbox.js';
import { createRefusal } from './refusal/create-refusal.js';
import { createSmtpServer } from './create-smtp-server.js';
import { readEnv } from './env.js';
import { listenOn } from './listen-on.js';
import { stopSmtpServer } from './stop-smtp-server.js';

const STOP_GRACE_MS = 3000;

const reading = readEnv();
if (!reading.ok) {
  for (const line of reading.lines) process.stderr.write(`${line}\n`);
  process.exit(2);
}
const { HOST: host, ...env } = reading.env;
const log = pino({ level: env.LOG_LEVEL, base: { app: 'mailbox' }, timestamp: pino.stdTimeFunctions.isoTime });

let smtp: SMTPServer | undefined;
let isStopping = false;

async function stop(signal: NodeJS.Signals): Promise<void> {
  // A second signal changes nothing: the grace time ends by itself.
  if (isStopping) return;
  isStopping = true;
  const cutConnections = smtp === undefined ? 0 : await stopSmtpServer(smtp, STOP_GRACE_MS);
  log.info({ signal, cutConnections }, 'mailbox.stopped');
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

try {
  const mailbox = await createMailbox({ dir: env.MAILBOX_DIR, log }).catch((cause: Error) => {
    throw new Error(`The folder of the mailbox cannot be used (${cause.message}). Set MAILBOX_DIR to another.`, {
      cause,
    });
  });
  const refusal = createRefusal(readClock);
  const web = createAdaptorServer({ fetch: createApp(mailbox, refusal, log).fetch }) as Server;
  const webPort = await listenOn(web, { host, port: env.MAILBOX_PORT, variable: 'MAILBOX_PORT' });
  smtp = createSmtpServer(mailbox, refusal, log);
  const smtpPort = await listenOn(smtp.server, { host, port: env.SMTP_PORT, variable: 'SMTP_PORT' });
  log.info({ host, webPort, smtpPort, dir: env.MAILBOX_DIR }, 'mailbox.started');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
