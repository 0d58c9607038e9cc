import { describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { readEnv } from './env.js';

describe('the environment of the mailbox', () => {
  test('needs no variable', () => {
    expect(readEnv({ SMTP_PORT: '' })).toEqual({
      ok: true,
      env: {
        HOST: '127.0.0.1',
        MAILBOX_PORT: 4602,
        SMTP_PORT: 4625,
        MAILBOX_DIR: resolve('.duework/mailbox'),
        LOG_LEVEL: 'info',
      },
    });
  });

  test('gets one line for every wrong variable, with its name and value', () => {
    expect(readEnv({ MAILBOX_PORT: '70000', SMTP_PORT: 'abc', LOG_LEVEL: 'loud' })).toEqual({
      ok: false,
      lines: [
        'MAILBOX_PORT must be a port from 0 to 65535 (0: any free port), but it is "70000"',
        'SMTP_PORT must be a port from 0 to 65535 (0: any free port), but it is "abc"',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud"',
      ],
    });
  });

  test.each(['0.0.0.0', '::', '192.168.0.7', 'mail.example.org', '127.0.0.1.example.org'])(
    'does not listen on %s, where others would read its mails',
    (HOST) => {
      expect(readEnv({ HOST })).toEqual({
        ok: false,
        lines: [
          `HOST must be 127.0.0.1, ::1 or localhost, because anybody who reaches the mailbox reads its mails, but it is "${HOST}"`,
        ],
      });
    },
  );
});
