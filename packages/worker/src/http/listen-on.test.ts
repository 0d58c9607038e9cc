import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { listenOn } from './listen-on.js';

test.each(['x86_64-conda-linux-gnu', '192.0.2.1', '256.0.0.1'])(
  'where HOST is no address of this machine, the error names HOST: %s',
  async (host) => {
    const listening = listenOn(createServer(), { host, port: 0, isFixed: true, variable: 'WORKER_PORT' });
    await expect(listening).rejects.toThrow(
      /^Port 0 on \S+ cannot be used \(E\w+\)\. Set HOST to an address of this machine/,
    );
  },
);
