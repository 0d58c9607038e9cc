import { resolve } from 'node:path';
import { z } from 'zod';
import { wholeNumber } from '../whole-number.js';

const yesOrNo = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

/** The shop's variables of the environment; env.ts reads them with the worker's own. */
export const shopVariables = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be smtp://HOST:PORT or smtps://USER:PASSWORD@HOST:PORT' })
    .default('smtp://127.0.0.1:4625'),
  /** Of the API, for the links of mails that ask for a decision. */
  API_URL: z
    .url({
      protocol: /^https?$/,
      error: 'must be http://HOST:PORT or https://HOST, with the path of the API if it has one',
    })
    .default('http://127.0.0.1:4600'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an address: shop@example.com or Shop <shop@example.com>')
    .default('Duework Shop <shop@duework.local>'),
  TEMP_DIR: z
    .string()
    .default('.duework/temp')
    .transform((dir) => resolve(dir)),
  TEMP_FILE_MAX_AGE_HOURS: wholeNumber(1, 87_600, 24),
  WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo.default(false),
  WEBHOOK_TIMEOUT_MS: wholeNumber(1, 300_000, 10_000),
};
