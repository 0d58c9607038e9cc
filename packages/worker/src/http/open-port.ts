import type { Log } from '../logs/worker-log.js';
import type { WorkerHost, WorkerPort } from '../settings/settings.js';
import { createProbeServer } from './create-probe-server.js';
import { listenOn } from './listen-on.js';
import type { Probes } from './open-probes.js';

/** Where the probes and metrics are. */
export interface OpenedPort {
  readonly port: number;
  close(): void;
}

/** Opens the port of the probes; in development any other one where the usual one is taken. */
export async function openPort(
  wanted: WorkerPort,
  { host, probes, log }: { readonly host: WorkerHost; readonly probes: Probes; readonly log: Log },
): Promise<OpenedPort> {
  const server = createProbeServer({ ...probes, log, isForProbesAlone: !host.isAsked });
  const { address } = host;
  const port = await listenOn(server, { host: address, ...wanted, variable: 'WORKER_PORT' });
  if (wanted.port !== 0 && port !== wanted.port)
    log.warn(
      { port: wanted.port, instead: port, remedy: 'set WORKER_PORT to have a port of its own' },
      'http.port_taken',
    );
  log.info({ host: address, port, pid: process.pid }, 'http.listening');
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
