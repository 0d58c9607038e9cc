const DOMAINS = ['example.com', 'example.org', 'gone.example', 'example.net', 'full.example', 'example.com'];

/** What was made, for the screens that show one of each. */
export interface Made {
  readonly dead: string;
  readonly retrying: string;
  /** Due in more than an hour, so that no worker takes it while someone changes it. */
  readonly waiting: string;
  /** Dead because nobody knows whether its effect has happened, once `writeUnknownEffect` was called. */
  readonly unknown: string;
  /** Enqueues a job that runs for half a minute. */
  readonly startSlow: () => Promise<string>;
}

/**
 * Enqueues a shop's morning through the API at `url`: mails that arrive, that are refused, and what waits behind them.
 * `key`: with this API key.
 */
export async function makeTrouble(url: string, key?: string): Promise<Made> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const save = async (key: string, body: object): Promise<void> => {
    const response = await fetch(`${url}/v1/schedules/${key}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`PUT ${key} answered ${response.status}: ${await response.text()}`);
  };
  const receipt = (n: number, domain: string) => ({
    type: 'send_receipt',
    payload: {
      receiptId: `R-2026-${1000 + n}`,
      email: `customer-${n}@${domain}`,
      amountCents: 990 + n * 35,
      currency: 'EUR',
    },
  });
  const enqueue = async (jobs: readonly object[]): Promise<readonly { id: string }[]> =>
    (await post<{ jobs: { id: string }[] }>('/v1/jobs/batch', { jobs })).jobs;

  let slow = 700;
  const startSlow = async (): Promise<string> =>
    (await enqueue([{ ...receipt(slow++, 'slow.example'), priority: 0 }]))[0]!.id;

  const cleanup = { type: 'cleanup_nightly', payload: { day: { $due: 'date', addDays: -1 } } };
  await save('cleanup:berlin', { ...cleanup, cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
  await save('cleanup:new_york', { ...cleanup, cron: '15 4 * * 1-5', timeZone: 'America/New_York', splay: '10m' });
  await save('cleanup:moving_shop', { ...cleanup, cron: '0 3 1 * *', timeZone: 'Pacific/Auckland' });
  await post('/v1/schedules/cleanup:moving_shop/pause', { reason: 'The shop moves to another warehouse' });
  const byDueTime = (n: number, domain: string) => {
    const { type, payload } = receipt(n, domain);
    return { type, payload: { ...payload, receiptId: { $due: 'iso' } }, every: '1s', timeZone: 'Europe/Berlin' };
  };
  // slower than its rule, so that due times are skipped
  await save('receipt:slow', byDueTime(800, 'slow.example'));
  await save('receipt:every_second', byDueTime(801, 'example.com'));

  await enqueue(
    Array.from({ length: 120 }, (_, n) => {
      const domain = DOMAINS[n % DOMAINS.length]!;
      return {
        ...receipt(n, domain),
        ...(domain.startsWith('example') ? {} : { maxAttempts: domain === 'gone.example' ? 1 : 8 }),
      };
    }),
  );
  const [dead] = await enqueue([{ ...receipt(500, 'full.example'), maxAttempts: 3 }]);
  const [unknown] = await enqueue([{ ...receipt(502, 'gone.example'), maxAttempts: 1, idempotencyKey: 'order:812' }]);
  const [retrying] = await enqueue([receipt(501, 'grey.example')]);
  await enqueue(
    Array.from({ length: 9 }, (_, n) => ({
      type: 'deliver_webhook',
      payload: {
        eventId: `evt_${n}`,
        url: `http://127.0.0.1:9/hooks/${n}`,
        event: 'order.paid',
        body: { order: 812 + n, total: 24_900 },
      },
      maxAttempts: n % 3 === 0 ? 1 : 6,
    })),
  );
  const later = await enqueue(
    Array.from({ length: 14 }, (_, n) => ({ ...receipt(600 + n, 'example.com'), delaySeconds: 300 * (n + 1) })),
  );
  for (const { id } of later.slice(0, 2))
    await post(`/v1/jobs/${id}/cancel`, { reason: 'The customer asked for a paper receipt' });
  await post('/v1/queues/newsletter/pause', {
    reason: 'The list is being cleaned',
    until: new Date(Date.now() + 5_400_000),
  });
  return {
    dead: dead!.id,
    retrying: retrying!.id,
    waiting: later.at(-1)!.id,
    unknown: unknown!.id,
    startSlow,
  };
}
