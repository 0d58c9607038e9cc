import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../mailbox/dist/main.js', import.meta.url));

export interface ReceivedMail {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
}

export interface MailboxProcess {
  readonly smtpUrl: string;
  mails(): Promise<readonly ReceivedMail[]>;
  textOf(id: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the built mailbox as a process of its own, with an empty folder, on free ports. */
export async function startMailbox(): Promise<MailboxProcess> {
  const dir = await mkdtemp(join(tmpdir(), 'alert-mailbox-'));
  const env = { PATH: process.env['PATH'], MAILBOX_DIR: dir, MAILBOX_PORT: '0', SMTP_PORT: '0' };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ports = await new Promise<{ readonly webPort: number; readonly smtpPort: number }>((resolve, reject) => {
    child.once('close', () => reject(new Error('The mailbox ended before it had started.')));
    createInterface(child.stdout).on('line', (line) => {
      const facts = JSON.parse(line) as { msg: string; webPort: number; smtpPort: number };
      if (facts.msg === 'mailbox.started') resolve(facts);
    });
  });
  const read = async <T>(path: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${ports.webPort}/api/mails${path}`)).json()) as T;
  return {
    smtpUrl: `smtp://127.0.0.1:${ports.smtpPort}`,
    mails: async () => (await read<{ mails: readonly ReceivedMail[] }>('')).mails,
    textOf: async (id) => (await read<{ text: string }>(`/${id}`)).text,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
