import type { Handler } from 'hono';
import type { Refusal } from '../refusal/create-refusal.js';

/** `GET /api/refusal`: until when mails are refused; null: they are taken. */
export function readRefusal(refusal: Refusal): Handler {
  return (c) => c.json({ until: refusal.until() });
}
