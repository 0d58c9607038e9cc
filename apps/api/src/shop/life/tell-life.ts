import type { OrderLife } from './find-lives.js';

/** Seconds are told of what is to come this soon, and the page looks again by itself. */
const SOON_MS = 10 * 60_000;

const MIN_LOOK_SECONDS = 2;

/** How an order stands, in a sentence. */
export function tellLife({ status, jobStatus, creditJobId, wait }: OrderLife, now: Date): string {
  if (jobStatus === 'dead') return 'Something went wrong: its job is dead, and says why.';
  if (status === 'CANCELLED') return 'Cancelled. What was reserved for it is back in stock.';
  if (jobStatus === 'cancelled') return 'Its job was cancelled, so nobody sees it through.';
  if (jobStatus === 'succeeded' || jobStatus === null) return 'Paid and mailed, and a review was asked for.';
  const end = wait?.until ? tellMoment(wait.until, now) : 'it comes';
  switch (wait?.for) {
    case 'signal':
      return creditJobId === null
        ? `Reserved. Waits for your payment until ${end}.`
        : `Reserved. A mail asks the desk whether to ship it on account: open the mailbox, and decide by ${end}.`;
    case 'child':
      return `Paid. Waits until ${wait.step} has sent its mail.`;
    case 'time':
      return `Paid. Invoice and receipt are mailed. Asks for a review ${end.includes(' ') ? 'on' : 'at'} ${end}.`;
    default:
      return status === 'PAID' ? 'Paid. It goes on with its mails.' : 'Placed. What it buys is being reserved.';
  }
}

/** `14:32`, `14:32:05` where that is soon, or `2 December, 14:32`. */
function tellMoment(moment: Date, now: Date): string {
  const isSoon = moment.getTime() - now.getTime() < SOON_MS;
  const time = moment.toLocaleTimeString('en-GB', { timeStyle: isSoon ? 'medium' : 'short' });
  if (moment.toDateString() === now.toDateString()) return time;
  return `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}, ${time}`;
}

/** After how many seconds something has changed by itself; null: not soon. */
export function nextLook(lives: readonly OrderLife[], now: Date): number | null {
  const changesInMs = lives
    .filter(({ jobStatus }) => jobStatus === 'queued' || jobStatus === 'running')
    .map(({ wait }) => {
      if (wait === null || wait.for === 'child') return 0;
      return wait.until === null ? Infinity : wait.until.getTime() - now.getTime();
    });
  const soonestMs = Math.min(Infinity, ...changesInMs);
  return soonestMs > SOON_MS ? null : Math.max(MIN_LOOK_SECONDS, Math.ceil(soonestMs / 1_000));
}
