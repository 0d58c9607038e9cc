import type { DoctorLimits } from '../doctor-limits.js';
import { found, type Finding } from '../findings.js';
import type { PinFacts } from '../sql/read-pins.js';

/** Snapshots that are held for too long, the oldest first. */
export function judgePins(pins: readonly PinFacts[], { pinnedSeconds }: DoctorLimits): Finding[] {
  return pins
    .filter((pin) => pin.pinnedSeconds >= pinnedSeconds)
    .map((pin) => {
      const who = describe(pin);
      const sentence = `${who} has kept dead rows from being removed for ${Math.round(pin.pinnedSeconds)} s.`;
      const fix = pin.remedy.startsWith('SELECT ')
        ? `End it: ${pin.remedy};`
        : `${pin.remedy[0]!.toUpperCase()}${pin.remedy.slice(1)}.`;
      return found('snapshot_pinned', who, sentence, fix);
    });
}

function describe({ kind, pid, name, application, state }: PinFacts): string {
  if (kind !== 'session') return `${kind.replaceAll('_', ' ')} ${name ?? pid ?? ''}`.trim();
  return `session ${pid}${application ? ` of ${application}` : ''}${state === null ? '' : ` (${state})`}`;
}
