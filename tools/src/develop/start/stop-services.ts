import type { Service } from '../../kit/start-service.js';
import type { ProgramOutput } from './create-printer.js';
import type { ServiceSettings } from './settings.js';

export interface RunningService extends Pick<ServiceSettings, 'ports' | 'stopSeconds'> {
  readonly service: Service;
  readonly output: ProgramOutput;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/**
 * Stops programs one after the other, the last one started first: the worker releases its jobs while the database and
 * the mailbox still run. A program that does not end in its time is killed.
 */
export async function stopServices(running: readonly RunningService[], say: (line: string) => void): Promise<void> {
  for (const { service, stopSeconds, output } of [...running].reverse()) {
    let hasExited = false;
    const exited = service.exited.then(() => (hasExited = true));
    const isOver = (): boolean => hasExited;
    await Promise.race([exited, pause(0)]);
    if (!isOver()) {
      say(`Stopping the ${service.name} …`);
      service.stop('SIGTERM');
      await Promise.race([exited, pause(stopSeconds * 1_000)]);
    }
    if (!isOver()) {
      say(`The ${service.name} has not ended after ${stopSeconds} s; killing it.`);
      service.stop('SIGKILL');
      await exited;
    }
    output.close();
  }
}
