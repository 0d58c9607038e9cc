import type pg from 'pg';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { waitUntil } from '../../kit/wait-until.js';
import type { Example } from './examples.js';
import { submitForm } from './submit-form.js';

const GOOD = { email: 'ada@example.com', cents: 4_200 };
/** The example's card is refused after the order and the job were written. */
const REFUSED = { email: 'ada@example.com', cents: 100_001 };

/**
 * Places an order over HTTP and waits until its job is done; then one that fails, which must leave nothing behind.
 *
 * @param url of its endpoints
 * @param db its database
 */
export async function callExample(example: Example, url: string, db: pg.Client): Promise<void> {
  const placed = await post(`${url}${example.base}/orders`, GOOD);
  expect(placed.status === 201, `placing an order answered ${placed.status}: ${placed.text}`);
  const { id } = JSON.parse(placed.text) as { id: number };
  await waitUntil(`The receipt of order ${id} was not sent`, async () => {
    const { receiptSentAt } = (await (await fetch(`${url}${example.base}/orders/${id}`)).json()) as Order;
    return receiptSentAt;
  });
  await waitUntil('The job has not succeeded', async () => (await readRuns(db)) === 'succeeded');
  await expectOrders(db, 1);

  const refused = await post(`${url}${example.base}/orders`, REFUSED);
  expect(refused.status === 402, `a refused card answered ${refused.status}: ${refused.text}`);
  await expectOrders(db, 1);
  expect((await readRuns(db)) === 'succeeded', 'the job of a refused card was not rolled back');

  if (!example.hasForm) return;
  await submitForm(url, GOOD);
  await waitUntil('The job of the form is not done', async () => (await readRuns(db)) === 'succeeded,succeeded');
  await submitForm(url, REFUSED);
  await expectOrders(db, 2);
  expect((await readRuns(db)) === 'succeeded,succeeded', 'the job of a refused form was not rolled back');
}

interface Order {
  readonly receiptSentAt: string | null;
}

async function post(url: string, body: object): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

async function expectOrders(db: pg.Client, count: number): Promise<void> {
  const { rows } = await db.query<{ count: number }>('SELECT count(*)::int FROM orders');
  expect(rows[0]?.count === count, `there are ${rows[0]?.count} orders, and should be ${count}`);
}

/** The statuses of all jobs, in their order. */
async function readRuns(db: pg.Client): Promise<string> {
  const { rows } = await db.query<{ status: string }>('SELECT status::text FROM duework.jobs ORDER BY id');
  return rows.map(({ status }) => status).join(',');
}

function expect(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new PlainError(`Wrong: ${otherwise}.`);
}
