import { PlainError } from '../../../bootstrap/plain-error.mjs';

/**
 * Sends the form of the first page as a browser without JavaScript does: React puts into hidden fields which server
 * action it is for.
 *
 * @param url of that page
 */
export async function submitForm(url: string, fields: Readonly<Record<string, string | number>>): Promise<void> {
  const html = await (await fetch(url)).text();
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)];
  if (!hidden.some(([, name]) => name?.startsWith('$ACTION_')))
    throw new PlainError(`${url} has no form of an action.`);
  const form = new FormData();
  for (const [, name = '', value = ''] of hidden) form.set(name, value);
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  await response.text();
}
