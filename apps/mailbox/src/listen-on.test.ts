import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { listenOn } from './listen-on.js';

test('a taken port is refused in one line that names the port and the variable', async () => {
  const first = createServer();
  const port = await listenOn(first, { host: '127.0.0.1', port: 0, variable: 'SMTP_PORT' });
  const second = listenOn(createServer(), { host: '127.0.0.1', port, variable: 'SMTP_PORT' });
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken. Set SMTP_PORT to a free port.`);
  first.close();
});
