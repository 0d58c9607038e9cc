import { CUSTOMERS, NOBODY, WHOLESALER } from '../orders/customers.js';
import type { TroubleTools } from './trouble-tools.js';

const MANY = 2_000;
const REFUSED_SECONDS = 120;
const AWAY_SECONDS = 30;
const LATER_SECONDS = 30;

/** Where in the console something can be seen, and what is to be seen there. */
export interface Place {
  /** Below the console; `{id}` is the job that the action answers with. */
  readonly path: string;
  readonly name: string;
  readonly words: string;
}

/** A button of the shop's page. */
export interface Action {
  readonly title: string;
  readonly does: string;
  readonly button: string;
  /** What has happened, once it was pressed. */
  readonly done: string;
  readonly look: readonly Place[];
  /** Does it; returns the job to look at where it is one, or `refused` with why it could not be done. */
  readonly run: (tools: TroubleTools) => Promise<{ readonly jobId?: string; readonly refused?: 'mailbox' | 'worker' }>;
}

const onlyJob = ({ jobIds }: { readonly jobIds: readonly string[] }) => ({ jobId: jobIds[0] ?? '' });

/** The buttons of the shop's page, by the last part of the address that each of them posts to. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  order: {
    title: 'Order something',
    does: 'An order is placed and paid. In the same transaction its job send_invoice is enqueued.',
    button: 'Order and pay',
    done: 'An order was placed and paid, and the worker mails its invoice.',
    look: [
      {
        path: 'jobs/{id}',
        name: 'Job',
        words: 'its life: enqueued, claimed, succeeded, and what the mail server said',
      },
    ],
    run: async ({ order }) => onlyJob(await order(1)),
  },
  sale: {
    title: '2,000 orders at once',
    does: 'A sale begins: 2,000 orders are placed and paid in one transaction, with 2,000 jobs.',
    button: 'Begin the sale',
    done: '2,000 orders were placed and paid. The worker draws and mails 2,000 invoices.',
    look: [
      { path: 'overview', name: 'Overview', words: 'how fast it goes, and how long the jobs have waited' },
      { path: 'queues', name: 'Queues', words: 'how many wait, and since when the oldest does' },
      { path: 'workers', name: 'Workers', words: 'what each slot runs right now' },
    ],
    run: async ({ order }) => {
      await order(MANY);
      return {};
    },
  },
  refusal: {
    title: 'The mail server refuses',
    does: 'For two minutes it answers 451, try again later, to every mail. 40 orders come in meanwhile.',
    button: 'Let it refuse',
    done: 'The mail server refuses every mail for two minutes, and 40 orders have come in.',
    look: [
      {
        path: 'failures?range=1h',
        name: 'Failures',
        words: 'one row for all of them, smtp_451: since when, and how many',
      },
      { path: 'jobs?filter=status:failed', name: 'Jobs', words: 'when each of them is tried again' },
      { path: 'overview', name: 'Overview', words: 'what is wrong comes first' },
    ],
    async run({ mailServer, order }) {
      if (!(await mailServer.refuse(REFUSED_SECONDS))) return { refused: 'mailbox' };
      await order(40);
      return {};
    },
  },
  later: {
    title: 'A provider that says: come back later',
    does: `For half a minute the mail server answers 451, as others answer 429. ${CUSTOMERS.length * 25} confirmations of orders wait for it. The first that hears it shuts their limit for all of them, for 10 s.`,
    button: 'Let it say so',
    done: 'The mail server says to come back later. The confirmations wait, and no attempt is charged.',
    look: [
      { path: 'flow/limit/smtp', name: 'Limits', words: 'until when the limit is shut, and how many wait' },
      {
        path: 'jobs?filter=type:confirm_order',
        name: 'Jobs',
        words: 'hardly any was tried; when it opens again, they go little by little',
      },
    ],
    async run({ mailServer, confirm }) {
      if (!(await mailServer.refuse(LATER_SECONDS))) return { refused: 'mailbox' };
      await confirm(CUSTOMERS.map((customer) => ({ customer, count: 25 })));
      return {};
    },
  },
  wholesale: {
    title: 'A customer with 20,000 orders beside small ones',
    does: 'A wholesaler places 20,000 orders, and then eight others one each. Each order is confirmed by mail, at most five at once.',
    button: 'Let them order',
    done: 'Customers take turns: each of the eight waits for one turn of the wholesaler, not for 20,000 mails.',
    look: [
      { path: 'flow/tenant/default', name: 'Limits', words: 'whose jobs run, and how many of each customer wait' },
      {
        path: 'jobs?filter=type:confirm_order status:succeeded',
        name: 'Jobs',
        words: 'the eight small orders, which came last, are among the first',
      },
      { path: 'flow/limit/smtp', name: 'Its limit', words: 'the five at once; change it, and see how many are let in' },
    ],
    async run({ confirm }) {
      await confirm([
        { customer: WHOLESALER, count: 20_000 },
        ...CUSTOMERS.map((customer) => ({ customer, count: 1 })),
      ]);
      return {};
    },
  },
  address: {
    title: 'An address that does not exist',
    does: 'An order of somebody at nowhere.invalid. The mail server answers 550, for good: its job dies at its first attempt.',
    button: 'Order with a typo',
    done: 'An order with an address that does not exist was placed and paid. Its job dies, because trying again is of no use.',
    look: [
      { path: 'jobs/{id}', name: 'Job', words: 'the attempt, with the reply of the mail server, and what can be done' },
      { path: 'failures?range=1h', name: 'Failures', words: 'smtp_550 has a row of its own' },
      { path: 'overview', name: 'Overview', words: 'what is wrong comes first' },
    ],
    run: async ({ order }) => onlyJob(await order(1, [NOBODY])),
  },
  death: {
    title: 'The worker is killed',
    does: `200 orders come in, and in the middle of them the worker gets SIGKILL, as if its machine were gone. Another one starts ${AWAY_SECONDS} seconds later.`,
    button: 'Kill the worker',
    done: `The worker was killed in the middle of its work. Another one starts ${AWAY_SECONDS} seconds later, and nothing is lost.`,
    look: [
      { path: 'overview', name: 'Overview', words: 'nothing runs for send_invoice, and since when' },
      { path: 'workers', name: 'Workers', words: 'who is gone, and that what it held is started again' },
      {
        path: 'jobs?filter=status:dead code:effect_unknown',
        name: 'Jobs',
        words: 'a mail that was half handed over is dead: nobody knows whether it was sent, and a person has to say',
      },
    ],
    async run({ order, killWorker, untilOneRuns }) {
      if (killWorker === null) return { refused: 'worker' };
      await untilOneRuns((await order(200)).jobIds);
      await killWorker(AWAY_SECONDS);
      return {};
    },
  },
};

/** Told instead of `done` where an action could not be done: what is missing, and what to do about it. */
export const REFUSALS = {
  late: 'This order is paid or cancelled already, so nothing was done.',
  mailbox:
    'The mailbox does not answer, so nothing was done. npm start runs it; of another one, say where: MAILBOX_URL.',
  worker:
    'Nobody would start another worker, so nothing was done: npm start does that, and it has not started this API.',
} as const;
