import { createAdaptorServer } from '@hono/node-server';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { pino } from 'pino';
import { createApp } from '../create-app.js';
import { createMailbox, type Mailbox } from '../create-mailbox.js';
import { createSmtpServer } from '../create-smtp-server.js';
import { readClock } from '../clock.js';
import { createRefusal } from '../refusal/create-refusal.js';
import { listenOn } from '../listen-on.js';
import { stopSmtpServer } from '../stop-smtp-server.js';

export interface StartOptions {
  /** A folder that another mailbox had; a new one otherwise. */
  readonly dir?: string;
  /** Stands between SMTP and the mailbox. */
  readonly intercept?: (mailbox: Mailbox) => Pick<Mailbox, 'accept'>;
}

/** One line of the log, as written. */
export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Starts a whole mailbox on free ports: its SMTP and its web side on real sockets, its mails in a real folder. */
export async function startMailbox({ dir: givenDir, intercept = (mailbox) => mailbox }: StartOptions = {}) {
  const dir = givenDir ?? (await mkdtemp(join(tmpdir(), 'mailbox-')));
  const logLines: LogLine[] = [];
  const log = pino({}, { write: (line: string) => logLines.push(JSON.parse(line) as LogLine) });
  const mailbox = await createMailbox({ dir, log });
  const refusal = createRefusal(readClock);
  const smtp = createSmtpServer(intercept(mailbox), refusal, log);
  const web = createAdaptorServer({ fetch: createApp(mailbox, refusal, log).fetch }) as Server;
  const host = '127.0.0.1';
  const smtpPort = await listenOn(smtp.server, { host, port: 0, variable: 'SMTP_PORT' });
  const webPort = await listenOn(web, { host, port: 0, variable: 'MAILBOX_PORT' });
  const transport = createTransport({ host, port: smtpPort, ignoreTLS: true });
  return {
    dir,
    mailbox,
    smtp,
    smtpPort,
    logLines,
    send: (mail: SendMailOptions) =>
      transport.sendMail({
        from: 'billing@duework.test',
        to: 'ada@duework.test',
        subject: 'Hello',
        text: 'Hello',
        ...mail,
      }),
    verify: () => transport.verify(),
    fetch: (path: string, init?: RequestInit) => fetch(`http://${host}:${webPort}${path}`, init),
    /** Stops both servers and leaves the mails. */
    async stop() {
      await stopSmtpServer(smtp, 1000);
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

export type RunningMailbox = Awaited<ReturnType<typeof startMailbox>>;
