import { type ServiceProgram, startService, type StartServiceOptions } from '../../kit/start-service.js';
import type { Service } from '../../kit/start-service.js';

export interface KillableService extends Service {
  /**
   * Kills its process, and starts it again so many milliseconds later. Does nothing while it is away already, or once it
   * was stopped.
   */
  killFor(awayMs: number): void;
}

export interface StartKillableOptions extends StartServiceOptions {
  /** Called when it was killed, and when it was started again; its `pid` is another one then. */
  readonly onChange: (what: 'killed' | 'started') => void;
}

/**
 * Starts a program that can be killed on request. `exited` resolves when it ends without being asked to, or is stopped;
 * a death that was asked for is no end.
 */
export function startKillable(
  program: ServiceProgram,
  { onChange, ...options }: StartKillableOptions,
): KillableService {
  let current = startService(program, options);
  let away: { readonly timer: NodeJS.Timeout | undefined } | null = null;
  let isStopped = false;
  let onExit: (ending: { readonly how: string }) => void = () => {};
  const exited = new Promise<{ readonly how: string }>((resolve) => (onExit = resolve));
  const watch = (): void =>
    void current.exited.then((ending) => {
      if (away === null || isStopped) onExit(ending);
    });
  watch();

  function startAgain(): void {
    away = null;
    current = startService(program, options);
    watch();
    onChange('started');
  }
  return {
    name: program.name,
    main: program.main,
    get pid() {
      return current.pid;
    },
    exited,
    stop(signal) {
      isStopped = true;
      if (away === null) return current.stop(signal);
      clearTimeout(away.timer);
      onExit({ how: 'stopped while it was away' });
    },
    killFor(awayMs) {
      if (away !== null || isStopped) return;
      away = { timer: undefined };
      current.stop('SIGKILL');
      void current.exited.then(() => {
        if (isStopped) return;
        onChange('killed');
        away = { timer: setTimeout(startAgain, awayMs) };
      });
    },
  };
}
