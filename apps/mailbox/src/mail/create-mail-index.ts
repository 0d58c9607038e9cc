import type { MailPage, MailQuery } from './mail-query.js';
import type { MailEntry, MailSummary } from './mail.js';
import { matchMail } from './match-mail.js';

/** The mails of the folder, in memory, oldest first. */
export interface MailIndex {
  /** A number that changes with every change of the mails. */
  readonly revision: () => number;
  readonly ids: () => readonly string[];
  readonly add: (entry: MailEntry) => void;
  /** Does nothing when there is no such mail. */
  readonly remove: (ids: readonly string[]) => void;
  /** Null when there is no such mail. */
  readonly find: (id: string) => MailSummary | null;
  readonly list: (query: MailQuery) => MailPage;
}

/** Makes an empty index. Two mails with one Message-ID are two entries, and each is marked as a duplicate. */
export function createMailIndex(): MailIndex {
  let entries: MailEntry[] = [];
  const byId = new Map<string, MailEntry>();
  const countByMessageId = new Map<string, number>();
  let revision = 0;

  const count = ({ messageId }: MailEntry, step: 1 | -1): void => {
    if (messageId === null) return;
    const left = (countByMessageId.get(messageId) ?? 0) + step;
    if (left === 0) countByMessageId.delete(messageId);
    else countByMessageId.set(messageId, left);
  };
  const summarize = (entry: MailEntry): MailSummary => ({
    ...entry,
    isDuplicate: entry.messageId !== null && (countByMessageId.get(entry.messageId) ?? 0) > 1,
  });

  return {
    revision: () => revision,
    ids: () => [...byId.keys()],
    add(entry) {
      if (byId.has(entry.id)) return;
      byId.set(entry.id, entry);
      // Mails are written concurrently, so an older id can come last; its place is always near the end.
      let at = entries.length;
      while (at > 0 && entries[at - 1]!.id > entry.id) at -= 1;
      entries.splice(at, 0, entry);
      count(entry, 1);
      revision += 1;
    },
    remove(ids) {
      for (const id of ids) {
        const entry = byId.get(id);
        if (entry !== undefined && byId.delete(id)) count(entry, -1);
      }
      entries = entries.filter(({ id }) => byId.has(id));
      revision += 1;
    },
    find(id) {
      const entry = byId.get(id);
      return entry === undefined ? null : summarize(entry);
    },
    list(query) {
      const mails: MailSummary[] = [];
      let total = 0;
      for (const entry of entries.toReversed()) {
        const mail = summarize(entry);
        if (!matchMail(mail, query)) continue;
        total += 1;
        const isOnPage = query.before === undefined || mail.id < query.before;
        if (isOnPage && mails.length < query.limit) mails.push(mail);
      }
      return { mails, total };
    },
  };
}
