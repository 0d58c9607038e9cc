import { createHash } from 'node:crypto';
import { emptyTables, useTestDatabase } from '@duework/testing/fixtures';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Queryable } from '@duework/queue-core';
import { checkKeys } from './check-keys.js';
import { createKey } from './create-key.js';
import { hashSecret, makeKeyText, parseKeyText } from './key-text.js';
import { listKeys } from './list-keys.js';
import { revokeKey } from './revoke-key.js';
import { splitScopes, type GrantedScope } from './scopes.js';

const database = useTestDatabase();
beforeEach(() => emptyTables(database.db, 'api_keys'));

const make = (name = 'deploy', more: object = {}) => createKey(database.db, { name, scopes: ['read'], ...more });
const check = (text: string) => checkKeys(database.db)(text);
const lastUsed = async (): Promise<(Date | null)[]> => (await listKeys(database.db)).map((key) => key.lastUsedAt);

/** The database, with every statement counted, and with `hold` before its answer is given. */
function counted(hold: () => Promise<void> = async () => {}) {
  const sent = { count: 0 };
  const db = {
    $connect: () => {},
    $queryRaw: async (statement: never) => {
      sent.count++;
      const rows = await database.db.$queryRaw(statement);
      await hold();
      return rows;
    },
  } as never as Queryable;
  return { db, sent };
}

describe('a new key', () => {
  test('is shown once: what is kept is the hash of its secret', async () => {
    const { text, key } = await make('deploy', { act: { by: 'person:ana@example.org' } });
    expect(text).toMatch(/^dwk_[0-9a-z]{12}_[0-9A-Za-z]{49}$/);
    expect(key).toEqual({
      id: text.split('_')[1],
      name: 'deploy',
      scopes: ['read'],
      status: 'active',
      createdAt: expect.any(Date),
      createdBy: 'person:ana@example.org',
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      revokedBy: null,
    });
    const [row] = await database.db.$queryRaw<[{ hash: string; kept: string }]>`
      SELECT encode(secret_hash, 'hex') AS hash, k::text AS kept FROM duework.api_keys AS k`;
    const { secret } = parseKeyText(text)!;
    expect(row.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(row.kept).not.toContain(secret);
    expect(JSON.stringify(await listKeys(database.db))).not.toMatch(new RegExp(`${secret}|${row.hash}`));
  });

  test('has a secret that no other has', async () => {
    const texts = await Promise.all(Array.from({ length: 20 }, (_, n) => make(`k${n}`).then(({ text }) => text)));
    expect(new Set(texts.map((text) => parseKeyText(text)!.secret)).size).toBe(20);
  });

  test('may enqueue the types that it is narrowed to', async () => {
    const { key } = await make('mailer', { scopes: ['enqueue', 'read', 'read'], types: ['mail', 'letter'] });
    expect(key.scopes).toEqual(['enqueue:mail', 'enqueue:letter', 'read']);
  });

  test('may read the types that it is limited to, and enqueue nothing', async () => {
    const { key } = await make('colleague', { scopes: ['read'], types: ['mail', 'letter'] });
    expect(key.scopes).toEqual(['type:mail', 'type:letter', 'read']);
    expect(splitScopes(key.scopes)).toEqual({ scopes: ['read'], types: ['mail', 'letter'] });
  });

  test.each<[readonly GrantedScope[], readonly string[], readonly string[] | null]>([
    [['enqueue', 'enqueue:mail'], ['enqueue'], null],
    [['enqueue', 'type:mail'], ['enqueue'], ['mail']],
    [['enqueue:mail', 'type:letter', 'read'], ['enqueue', 'read'], ['mail']],
    [['enqueue', 'enqueue:mail', 'type:letter'], ['enqueue'], ['letter']],
  ])('%j is limited to no more than its parts', (granted, scopes, types) => {
    expect(splitScopes(granted)).toEqual({ scopes, types });
  });

  test.each([
    ['a name with a space', { name: 'a b' }, 'name'],
    ['a name with a NUL', { name: 'a\0' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope that is none', { scopes: ['read', 'write'] }, 'scopes'],
    ['a scope of a type that can be none', { scopes: ['enqueue:a b'] }, 'scopes'],
    ['a limit to a type that can be none', { scopes: ['read', 'type:a b'] }, 'scopes'],
    ['no type', { scopes: ['enqueue'], types: [] }, 'types'],
    ['a life without a unit', { expiresIn: '90' }, 'expiresIn'],
    ['a life of nothing', { expiresIn: '0d' }, 'expiresIn'],
    ['a life of eleven years', { expiresIn: '4015d' }, 'expiresIn'],
  ])('is refused with %s', async (_what, more, option) => {
    await expect(make('deploy', more)).rejects.toMatchObject({ code: 'invalid_option', facts: { option } });
    expect(await listKeys(database.db)).toEqual([]);
  });

  test('has a name that no other working key has', async () => {
    const { key } = await make();
    await expect(make()).rejects.toMatchObject({ code: 'api_key_name_taken', facts: { name: 'deploy' } });
    await revokeKey(database.db, key.id);
    expect((await make()).key.name).toBe('deploy');
  });

  test('of two made at the same time with one name, one is made', async () => {
    const made = await Promise.allSettled([make(), make(), make()]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});

describe('a key that is shown', () => {
  test('is good, and says who it is', async () => {
    const { text, key } = await make('ci', { scopes: ['enqueue:mail'], expiresIn: '90d' });
    expect(await check(text)).toEqual({ isGood: true, key: { id: key.id, name: 'ci', scopes: ['enqueue:mail'] } });
  });

  test.each([
    ['nothing', () => ''],
    ['cut', (text: string) => text.slice(0, -1)],
    ['mistyped', (text: string) => text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['of another product', () => 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
    ['followed by a line break', (text: string) => `${text}\n`],
  ])('is refused without the database when it is %s', async (_what, change) => {
    const { db, sent } = counted();
    expect(await checkKeys(db)(change((await make()).text))).toEqual({ isGood: false, reason: 'mistyped' });
    expect(sent.count).toBe(0);
  });

  test('is unknown when it was never made, and when its id is another’s', async () => {
    const mine = await make();
    const other = await make('other');
    await revokeKey(database.db, other.key.id);
    expect(await check(makeKeyText().text)).toEqual({ isGood: false, reason: 'unknown' });
    // a whole key, with the id of another and a secret of its own: of the other nothing is told
    for (const id of [mine.key.id, other.key.id])
      expect(await check(makeKeyText(id).text)).toEqual({ isGood: false, reason: 'unknown' });
    expect(await lastUsed()).toEqual([null, null]);
  });

  test('is expired from its moment on, by the clock of the database', async () => {
    const { text, key } = await make('brief', { expiresIn: '1h' });
    expect(key.expiresAt!.getTime() - key.createdAt.getTime()).toBe(3_600_000);
    expect(await check(text)).toMatchObject({ isGood: true });
    await database.db.$executeRaw`UPDATE duework.api_keys SET expires_at = now()`;
    expect(await check(text)).toEqual({ isGood: false, reason: 'expired' });
    expect((await listKeys(database.db))[0]!.status).toBe('expired');
  });
});

describe('a key that is revoked', () => {
  test('is refused at once, by a process that has just let it in', async () => {
    const { text, key } = await make();
    const isGood = checkKeys(database.db);
    expect(await isGood(text)).toMatchObject({ isGood: true });
    const revoked = await revokeKey(database.db, key.id, { act: { by: 'command:root@host1' } });
    expect(revoked).toMatchObject({ status: 'revoked', revokedAt: expect.any(Date), revokedBy: 'command:root@host1' });
    expect(await isGood(text)).toEqual({ isGood: false, reason: 'revoked' });
  });

  test('is refused by a request that comes while an older look-up is on its way', async () => {
    const { text, key } = await make();
    await check(text);
    let letGo = (): void => {};
    let answer = (): void => {};
    const free = new Promise<void>((resolve) => (letGo = resolve));
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const isGood = checkKeys(counted(() => (answer(), free)).db);
    const before = isGood(text);
    await answered;
    await revokeKey(database.db, key.id);
    const after = isGood(text);
    letGo();
    expect([(await before).isGood, (await after).isGood]).toEqual([true, false]);
  });

  test('is found by its name, too, and a second revocation changes nothing', async () => {
    await make();
    const first = await revokeKey(database.db, 'deploy', { act: { by: 'ana' } });
    const second = await revokeKey(database.db, first.id, { act: { by: 'bob' } });
    expect(second).toEqual(first);
    await expect(revokeKey(database.db, 'deploy')).rejects.toMatchObject({ code: 'api_key_not_found' });
    await expect(revokeKey(database.db, 'nothing')).rejects.toMatchObject({ code: 'api_key_not_found' });
  });
});

describe('a look-up', () => {
  test('is shared by the requests that arrive together', async () => {
    const { text } = await make();
    const other = await make('other');
    await Promise.all([check(text), check(other.text)]);
    const { db, sent } = counted();
    const isGood = checkKeys(db);
    const checks = await Promise.all([text, other.text, text, text].map((each) => isGood(each)));
    expect(checks.map((each) => each.isGood && each.key.name)).toEqual(['deploy', 'other', 'deploy', 'deploy']);
    expect(sent.count).toBe(1);
  });

  test('writes once a minute that the key was used', async () => {
    const { text } = await make();
    const { db, sent } = counted();
    const isGood = checkKeys(db);
    await isGood(text);
    const [first] = await lastUsed();
    expect(first).toEqual(expect.any(Date));
    await isGood(text);
    expect([sent.count, ...(await lastUsed())]).toEqual([3, first]);
    await database.db.$executeRaw`UPDATE duework.api_keys SET last_used_at = now() - interval '61 seconds'`;
    await isGood(text);
    const [third] = await lastUsed();
    expect(third!.getTime()).toBeGreaterThanOrEqual(first!.getTime());
  });

  test('does not wait for a transaction that holds the key', async () => {
    const { text, key } = await make();
    await database.db.$transaction(async (tx) => {
      await revokeKey(tx as never, key.id);
      // not committed: for everybody else the key still works
      expect(await check(text)).toMatchObject({ isGood: true });
    });
    expect(await check(text)).toEqual({ isGood: false, reason: 'revoked' });
  });
});

describe('the audit', () => {
  const ANA = {
    by: 'person:ana@example.org',
    via: 'command',
    from: '192.0.2.7',
    reason: 'the pipeline needs it',
  } as const;
  const entriesOf = (id: string) =>
    database.db.auditEntry.findMany({ where: { kind: 'api_key', target: id }, orderBy: { id: 'asc' } });

  test('tells who made a key and who revoked it, what it allowed, and nothing that opens', async () => {
    const { text, key } = await make('deploy', { scopes: ['read', 'operate'], expiresIn: '90d', act: ANA });
    await check(text);
    await revokeKey(database.db, 'deploy', { act: { by: 'key:root', via: 'api' } });
    const who = { by: ANA.by, via: 'command', fromAddress: '192.0.2.7', reason: ANA.reason };
    const moment = expect.stringMatching(/^20\d\d-.*Z$/);
    const entries = await entriesOf(key.id);
    expect(entries).toMatchObject([
      {
        ...who,
        verb: 'create_api_key',
        before: null,
        after: { name: 'deploy', scopes: ['read', 'operate'], expiresAt: moment },
      },
      {
        by: 'key:root',
        verb: 'revoke_api_key',
        before: { status: 'active', lastUsedAt: moment },
        after: { name: 'deploy', status: 'revoked' },
      },
    ]);
    const { secret } = parseKeyText(text)!;
    const kept = JSON.stringify(entries, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    for (const hidden of [secret, hashSecret(secret)]) expect(kept).not.toContain(hidden);
  });

  test('has no entry of a key that was refused, and one of a key that several revoke at once', async () => {
    const { key } = await make();
    await expect(make('deploy', { act: ANA })).rejects.toMatchObject({ code: 'api_key_name_taken' });
    const revoked = await Promise.all(['a', 'b', 'c'].map((by) => revokeKey(database.db, key.id, { act: { by } })));
    expect(new Set(revoked.map(({ revokedBy }) => revokedBy)).size).toBe(1);
    expect(await entriesOf(key.id)).toMatchObject([
      { verb: 'create_api_key', by: 'program' },
      { verb: 'revoke_api_key', by: revoked[0]!.revokedBy },
    ]);
    expect(
      await database.db.auditEntry.count({
        where: { kind: 'api_key', by: ANA.by, verb: 'create_api_key', at: { gte: key.createdAt } },
      }),
    ).toBe(0);
  });

  test('and the key are there together, or neither is', async () => {
    const undone = database.db.$transaction(async (tx) => {
      await createKey(tx as never, { name: 'undone', scopes: ['read'], act: { by: 'undone' } });
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await database.db.auditEntry.count({ where: { by: 'undone' } })).toBe(0);
    await expect(make('deploy', { act: { by: '' } })).rejects.toMatchObject({ code: 'invalid_option' });
    expect(await listKeys(database.db)).toEqual([]);
  });
});
