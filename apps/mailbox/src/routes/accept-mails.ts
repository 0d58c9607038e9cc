import type { Handler } from 'hono';
import type { Refusal } from '../refusal/create-refusal.js';

/** `DELETE /api/refusal`: mails are taken again from now on. */
export function acceptMails(refusal: Refusal): Handler {
  return (c) => {
    refusal.end();
    return c.json({ until: null });
  };
}
