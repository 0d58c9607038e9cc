import { expect, test } from '@jest/globals';
import { createMailIndex } from './create-mail-index.js';
import type { MailEntry } from './mail.js';

const entry = (id: string, messageId: string | null): MailEntry => ({
  id,
  messageId,
  receivedAt: '2025-11-20T09:30:05.123Z',
  from: 'a@duework.test',
  to: ['b@duework.test'],
  subject: id,
  size: 1,
  attachments: [],
});

test('the newest mail is first, in whatever order the mails were written', () => {
  const index = createMailIndex();
  for (const id of ['2', '4', '1', '3', '3']) index.add(entry(id, null));
  expect(index.list({ limit: 10 }).mails.map(({ id }) => id)).toEqual(['4', '3', '2', '1']);
});

test('a mail stops being a duplicate when the other one is gone', () => {
  const index = createMailIndex();
  index.add(entry('1', '<same>'));
  index.add(entry('2', '<same>'));
  expect(index.find('1')?.isDuplicate).toBe(true);
  index.remove(['2', 'unknown']);
  expect(index.find('1')?.isDuplicate).toBe(false);
  expect(index.find('2')).toBeNull();
});

test('mails without a Message-ID are not duplicates of each other', () => {
  const index = createMailIndex();
  index.add(entry('1', null));
  index.add(entry('2', null));
  expect(index.list({ limit: 10, isDuplicate: true }).total).toBe(0);
});
