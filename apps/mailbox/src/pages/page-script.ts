/**
 * The script of the list. Every two seconds it asks the API whether anything changed; only then it fetches the page
 * again and puts the new rows in, keeping the ones that are the same, so nothing flickers. There is one renderer, on
 * the server, and no text of a mail ever passes through this script.
 */
export const pageScript = `
const POLL_MS = 2000;
const live = (root, name) => root.querySelector('[data-live="' + name + '"]');
const list = document.querySelector('[data-revision]');
const offline = document.querySelector('[data-offline]');
let etag = '"' + list.dataset.revision + '"';

function putRows(next) {
  const rows = live(document, 'rows');
  const shown = new Map([...rows.children].map((row) => [row.id, row]));
  const focused = document.activeElement;
  rows.replaceChildren(...[...live(next, 'rows').children].map((row) => {
    const old = shown.get(row.id);
    if (old && old.isEqualNode(row)) return old;
    const added = document.importNode(row, true);
    if (!old) {
      added.dataset.new = '';
      added.addEventListener('animationend', () => delete added.dataset.new, { once: true });
    }
    return added;
  }));
  if (focused && focused.isConnected) focused.focus({ preventScroll: true });
}

async function refresh() {
  const page = await fetch(location.href, { cache: 'no-store' });
  if (!page.ok) throw new Error('status ' + page.status);
  const next = new DOMParser().parseFromString(await page.text(), 'text/html');
  putRows(next);
  for (const name of ['count', 'footer', 'tools', 'refusal']) {
    live(document, name).replaceChildren(...document.importNode(live(next, name), true).childNodes);
  }
  document.title = next.title;
  etag = '"' + next.querySelector('[data-revision]').dataset.revision + '"';
}

async function poll() {
  try {
    const answer = await fetch('/api/mails?limit=1', { headers: { 'If-None-Match': etag }, cache: 'no-store' });
    if (answer.status === 200) await refresh();
    offline.hidden = true;
  } catch {
    offline.hidden = false;
  }
}

async function pollForever() {
  if (!document.hidden) await poll();
  setTimeout(pollForever, POLL_MS);
}

document.addEventListener('visibilitychange', () => document.hidden || poll());
document.addEventListener('click', async (event) => {
  if (event.target.closest('[data-accept]')) {
    await fetch('/api/refusal', { method: 'DELETE' });
    return poll();
  }
  if (!event.target.closest('[data-clear]')) return;
  if (!confirm('Remove every mail from the mailbox?')) return;
  await fetch('/mails', { method: 'DELETE' });
  await poll();
});
setTimeout(pollForever, POLL_MS);
`;
