import type { Engine } from './engine.js';
import type { EngineMessage } from '../leases/heartbeat.js';
import { loseLease } from '../leases/hold-lease.js';
import { AbortReason } from '../settle/attempt-end.js';
import { type FinishNeeds, stepBack } from '../settle/finish-run.js';

type Needs = FinishNeeds &
  Pick<Engine, 'queues' | 'brakes' | 'alarm' | 'spareLook' | 'tickAlarm' | 'session' | 'contractOf'>;

/** Returns what a worker does with its heartbeat's messages. A message about a claim it no longer holds is ignored. */
export function handleMessages(engine: Needs): (message: EngineMessage) => void {
  const { owned: runs, report, alarm } = engine;
  return (message) => {
    switch (message.kind) {
      case 'extended': {
        const owned = runs.find(message.id, message.fence);
        if (owned === undefined) return;
        owned.lease.grantedMs = Math.max(owned.lease.grantedMs, message.grantedMs);
        engine.leases.hold(owned.lease);
        return owned.onLeaseNews?.();
      }
      case 'lost': {
        const owned = runs.find(message.id, message.fence);
        if (owned !== undefined) loseLease(engine, owned);
        return;
      }
      case 'cancel_requested': {
        const owned = runs.find(message.id, message.fence);
        if (owned !== undefined)
          owned.abort.abort(
            new AbortReason('cancelled', message.reason ?? 'Somebody asked to cancel this run.', message.by),
          );
        return;
      }
      case 'woken':
        if (message.queue === null) engine.tickAlarm.ring();
        if (message.queue === null || engine.queues.includes(message.queue)) alarm.ring();
        return;
      case 'shut':
        if (!hasRuleOf(engine, message.gate)) return;
        engine.shutGates.shut([message.gate], message.forMs);
        return stepBack(engine);
      case 'chosen':
        if (runs.room() === 0 || engine.brakes.shutBy !== null) return message.passOn();
        return alarm.ring(message.isLater ? 'later' : 'once', message.passOn);
      case 'spare':
        return engine.spareLook.plan(message.doubt);
      case 'listen_failed':
        return report.failed('listen', message.error);
      case 'listening':
        return report.succeeded('listen');
      case 'away':
        return engine.session.goAway();
      case 'back':
        return engine.session.comeBack(message.sinceMs);
      case 'failed':
        return report.failed('heartbeat', message.error);
      case 'recovered':
        return report.succeeded('heartbeat');
    }
  };
}

/** Whether this worker may hold a run with that gate. */
const hasRuleOf = ({ contractOf }: Pick<Engine, 'contractOf'>, gate: string): boolean =>
  [...contractOf.values()].some(
    ({ flow }) => flow?.some(({ name }) => gate === name || gate.startsWith(`${name}/`)) === true,
  );
