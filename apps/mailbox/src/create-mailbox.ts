import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readClock } from './clock.js';
import { createMailIds } from './mail/create-mail-ids.js';
import { createMailIndex } from './mail/create-mail-index.js';
import { loadMails } from './mail/load-mails.js';
import type { MailPage, MailQuery } from './mail/mail-query.js';
import type { MailSummary, ParsedMail } from './mail/mail.js';
import { parseMail } from './mail/parse-mail.js';
import { writeEnvelope, type Envelope } from './mail/write-envelope.js';
import { writeMail } from './mail/write-mail.js';

/** The mails: files in one folder, and an index of them in memory. */
export interface Mailbox {
  /**
   * Keeps a mail. When it resolves, the mail is on disk and in the list. Two mails with the same Message-ID are two
   * mails. Returns null for what cannot be decoded and rejects when the disk refuses; in both cases nothing is kept.
   */
  readonly accept: (envelope: Envelope, content: Uint8Array) => Promise<MailSummary | null>;
  readonly list: (query: MailQuery) => MailPage;
  /** Null when there is no such mail. */
  readonly read: (id: string) => Promise<(ParsedMail & { readonly summary: MailSummary }) | null>;
  /** The bytes of the file; null when there is no such mail. */
  readonly readRaw: (id: string) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Removes the mails that are here now and returns how many; a mail that arrives meanwhile stays. */
  readonly clear: () => Promise<number>;
  /** Differs whenever the mails differ, also across a restart. */
  readonly revision: () => string;
  /** Whether a mail could be kept now: the folder exists, or can be made, and can be written. */
  readonly isReady: () => Promise<boolean>;
}

export interface MailboxOptions {
  readonly dir: string;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** Opens the mailbox in a folder, which is made when it is missing, and reads the mails that are in it. */
export async function createMailbox({ dir, log, now = readClock }: MailboxOptions): Promise<Mailbox> {
  await mkdir(dir, { recursive: true });
  const index = createMailIndex();
  for (const entry of await loadMails(dir, log, now())) index.add(entry);
  const createId = createMailIds(now);
  const startId = randomUUID();

  const readRaw: Mailbox['readRaw'] = async (id) => {
    // An id that is not in the index never becomes a path.
    if (index.find(id) === null) return null;
    try {
      return new Uint8Array(await readFile(join(dir, `${id}.eml`)));
    } catch (error) {
      // The file was removed by hand; the list forgets it too.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      index.remove([id]);
      return null;
    }
  };

  return {
    async accept(envelope, content) {
      const id = createId();
      const bytes = Buffer.concat([writeEnvelope(envelope), content]);
      // Decoded before it is written: a mail that a restart could not show is refused now, while the client can still
      // be told.
      const parsed = await parseMail(id, bytes).catch((error: Error) => {
        log.warn({ id, reason: error.message }, 'mail.refused');
        return null;
      });
      if (parsed === null) return null;
      const { entry } = parsed;
      await writeMail(dir, id, bytes);
      index.add(entry);
      log.info({ id, toCount: envelope.to.length, size: entry.size, messageId: entry.messageId }, 'mail.received');
      return index.find(id) ?? { ...entry, isDuplicate: false };
    },
    list: index.list,
    async read(id) {
      const content = await readRaw(id);
      const summary = index.find(id);
      return content === null || summary === null ? null : { ...(await parseMail(id, content)), summary };
    },
    readRaw,
    async clear() {
      const ids = index.ids();
      index.remove(ids);
      for (const id of ids) await rm(join(dir, `${id}.eml`), { force: true });
      log.info({ count: ids.length }, 'mails.cleared');
      return ids.length;
    },
    revision: () => `${startId}-${index.revision()}`,
    async isReady() {
      try {
        await mkdir(dir, { recursive: true });
        await access(dir, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    },
  };
}
