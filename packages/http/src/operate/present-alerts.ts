import { z } from '@hono/zod-openapi';
import type { Alert, AlertSilence } from '@duework/operate';
import { ALERT_SEVERITIES, type AlertName } from '@duework/queue-core';

const time = z.iso.datetime();
export const severity = z.enum(['critical', 'warning', 'info']);

const alert = z
  .object({
    key: z.string().describe('Its name and what it is about.').openapi({ example: 'failing_job_type/send_mail' }),
    name: z.enum(Object.keys(ALERT_SEVERITIES) as [AlertName]),
    subject: z.string().describe('A type, queue, rule, schedule or session; empty: all of it.'),
    severity,
    text: z.string().describe('What is wrong, as a sentence.'),
    advice: z.string().describe('What to look at first.'),
    facts: z.record(z.string(), z.union([z.string(), z.number()])),
    raisedAt: time.describe('Since when it is on.'),
    acknowledgedAt: time.nullable(),
    acknowledgedBy: z.string().nullable(),
    silencedUntil: time.nullable().describe('null: whoever is to hear of it does.'),
  } satisfies Record<keyof Alert, z.ZodType>)
  .openapi('Alert');

const silence = z
  .object({
    key: z.string().describe('An alert with what it is about, an alert, or `*` for all.'),
    since: time,
    until: time,
    by: z.string(),
    reason: z.string().nullable(),
  } satisfies Record<keyof AlertSilence, z.ZodType>)
  .openapi('AlertSilence');

export const alertList = z.object({ alerts: z.array(alert), silences: z.array(silence) }).openapi('AlertList');
